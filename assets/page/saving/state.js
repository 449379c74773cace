// What is kept of a student's progress, and how it is read, whoever gave it back.

const LONGEST_STATE = 5000;

function quietly(work) {
  try { return work() ?? null; } catch { return null; }
}

// Where the student is: the checkpoint's record and its two figures, of which one is reported.
function progressOf(page) {
  const slot = page.slots["checkpoint.record"], bar = page.slots["checkpoint.progress"];
  const record = slot?.value ?? slot;
  if (typeof record !== "string" || !(bar?.max > 0)) return null;
  const note = page.root.querySelector("[data-score]"); // says which one, to the student, too
  const completion = slot.completion ?? bar.value / bar.max;
  const score = note?.dataset?.score === "completion" ? completion : slot.mastery ?? completion;
  return {record, score, finished: completion === 1, earned: bar.value, of: bar.max};
}

// What a store gave back: {record, best, earned, done, answers} or its JSON, else null.
function readState(given) {
  if (typeof given === "string" && given.length <= LONGEST_STATE) given = quietly(() => JSON.parse(given));
  if (typeof given !== "object" || given === null) return null;
  const {record, best, earned, done, answers} = given;
  if (typeof record !== "string" || !record || record.length > LONGEST_STATE) return null;
  return {
    record,
    best: typeof best === "number" && best >= 0 && best <= 1 ? best : 0,
    earned: Number.isInteger(earned) && earned >= 0 ? earned : 0,
    done: done === true || (done === undefined && best === 1),
    answers: readAnswers(answers),
  };
}

const OPEN = 2; // an answer that waits for the map to show whether it was right

// [question, every answer, was the first one right (1, 0 or OPEN), when]; one for each question.
function readAnswers(given) {
  if (!Array.isArray(given)) return [];
  const fine = (row) => Array.isArray(row) && typeof row[0] === "string" && typeof row[1] === "string"
    && [0, 1, OPEN].includes(row[2]) && typeof row[3] === "number";
  return given.filter(fine).map((row) => row.slice(0, 4)).slice(0, 50);
}

// The name under which progress is filed: a teacher's, else the one that Python made from what
// changes the questions, else the page's address.
function activityId(page) {
  const asked = new URLSearchParams(window.location.search).get("activity_id");
  return page.options?.activity_id ?? asked ?? page.options?.name ?? window.location.href.split(/[?#]/)[0];
}

function browserShelf(id) {
  const key = `attention-lesson ${id}`;
  return {
    swift: true,
    load: () => quietly(() => readState(window.localStorage.getItem(key))),
    send(state, leaving, done) {
      try {
        window.localStorage.setItem(key, JSON.stringify(state));
        done("kept");
      } catch { done("blocked"); }
    },
  };
}
