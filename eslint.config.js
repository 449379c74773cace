// The scripts in assets/ are joined into one: a name of one file is known in all. The type checker
// (tsconfig.json) knows them and reports the undefined ones; here is what it does not look at.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["assets/**/*.js"],
    languageOptions: {ecmaVersion: 2022, sourceType: "script", globals: globals.browser},
    rules: {
      "no-undef": "off",
      "no-unused-vars": ["error", {vars: "local", caughtErrors: "none"}],
      "eqeqeq": "error",
      "prefer-const": "error",
      "no-var": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-console": "error",
    },
  },
  { // understood by browsers that understand nothing else
    files: ["assets/page/start/start.js"],
    languageOptions: {ecmaVersion: 5},
    rules: {"no-var": "off", "prefer-const": "off"},
  },
  {files: ["assets/live/live.js"], languageOptions: {sourceType: "module"}},
];
