// Runs before anything else, in every browser since 2018, and says on the page why the lesson does
// not begin: the browser is too old, the line was refused, or something threw. Python wrote the words.

(function () {
  var words = JSON.parse(document.currentScript.getAttribute("data-words"));
  var page = document.documentElement, sign = null, said = "", begun = false;
  var RANK = ["", "late", "broken", "line", "old"]; // what is known for sure stays
  var LATE = 4000, PATIENCE = 1500; // ms: an error of a browser's extension does not stop the lesson

  function line(text, name) {
    var part = document.createElement("p");
    part.className = name;
    part.textContent = text.split("{host}").join(window.location.host);
    sign.appendChild(part);
  }

  function write(kind, detail) {
    if (!sign) {
      sign = document.createElement("div");
      sign.className = "start";
      sign.setAttribute("role", "alert");
      document.body.insertBefore(sign, document.body.firstChild);
    }
    sign.textContent = "";
    line(words[kind], "start-student");
    if (words[kind + "_more"]) line(words[kind + "_more"], "start-owner");
    if (detail) line(detail, "start-detail");
  }

  function say(kind, detail) {
    if (begun || RANK.indexOf(kind) <= RANK.indexOf(said)) return;
    said = kind;
    page.setAttribute("data-start", kind);
    if (document.body) write(kind, detail);
    else document.addEventListener("DOMContentLoaded", function () { if (said === kind) write(kind, detail); });
  }

  function broken(detail) {
    setTimeout(function () { say("broken", String(detail || "").slice(0, 200)); }, PATIENCE);
  }

  window.lessonStart = {
    watch: function (/** @type {any} */ bokeh) { // Bokeh logs what fails here, and returns what it could show: nothing
      var embed = bokeh.embed.embed_items;
      bokeh.embed.embed_items = function () {
        var all = embed.apply(bokeh.embed, arguments);
        all.then(function (views) {
          if (!views.length) say(bokeh.documents.length ? "broken" : "line");
        });
        return all;
      };
    },
    done: function () { // works; what an old browser lacks may still be missed later
      begun = true;
      if (said === "old") return page.setAttribute("data-start", "begun");
      page.removeAttribute("data-start");
      if (sign) sign.parentNode.removeChild(sign);
    }
  };

  window.addEventListener("error", function (event) {
    /** @type {any} */
    var from = event.target;
    if (from && from.tagName === "SCRIPT") broken(from.src);
    else if (event.message && event.message.indexOf("ResizeObserver loop") < 0) broken(event.message);
  }, true);
  window.addEventListener("unhandledrejection", function (event) {
    broken(event.reason && event.reason.message || event.reason);
  });
  document.addEventListener("DOMContentLoaded", function () {
    setTimeout(function () { say("late"); }, LATE);
  });

  /** @type {[any, string][]} */
  var needed = [[Array.prototype, "at"], [Array.prototype, "flatMap"], [Object, "hasOwn"],
    [Object, "fromEntries"], [String.prototype, "replaceAll"], [Element.prototype, "replaceChildren"],
    [Promise, "allSettled"], [window, "globalThis"], [window, "queueMicrotask"], [window, "WeakRef"],
    [window, "ResizeObserver"], [window, "IntersectionObserver"], [window, "MessageChannel"]];
  var missing = needed.filter(function (one) { return typeof one[0][one[1]] === "undefined"; });
  if (missing.length) say("old", missing.map(function (one) { return one[1]; }).join(", "));
})();
