// Marks are {error, first, last}: numbers of words. A word knows its offsets in the summary, as the program counts them.
const ERRORS = [...document.querySelectorAll("footer [data-error]")].map((button) => button.dataset.error);
const summaries = [...document.querySelectorAll("article")].map((article) => ({
  article, code: article.id, text: article.querySelector(".text"), words: [...article.querySelectorAll(".w")],
  list: article.querySelector("ul"), box: article.querySelector("input"), marks: [], from: null, to: null,
}));
let current = null;

function load() {
  const kept = recall();
  for (const one of summaries) {
    const saved = (kept.summaries || {})[one.code] || {};
    one.marks = saved.marks || [];
    one.box.checked = Boolean(saved.read);
  }
}

function save() {
  keep({ summaries: Object.fromEntries(summaries.map((one) => [one.code, { marks: one.marks, read: one.box.checked }])) });
}

function wording(one, mark) {
  return one.words.slice(mark.first, mark.last + 1).map((word) => word.textContent).join(" ");
}

function draw(one) {
  const [low, high] = one.from === null ? [-1, -1] : [Math.min(one.from, one.to), Math.max(one.from, one.to)];
  one.words.forEach((word, number) => {
    const over = one.marks.filter((mark) => mark.first <= number && number <= mark.last).pop();
    word.className = ["w", over ? over.error : "", low <= number && number <= high ? "chosen" : "",
      number === one.to ? "here" : ""].join(" ").trim();
  });
  one.list.replaceChildren(...one.marks.map((mark, number) => {
    const item = document.createElement("li");
    const type = document.createElement("span");
    const remove = document.createElement("button");
    type.className = "type " + mark.error;
    type.textContent = mark.error;
    remove.type = "button";
    remove.textContent = "×";
    remove.setAttribute("aria-label", "Remove this mark");
    remove.addEventListener("click", () => { one.marks.splice(number, 1); changed(one); });
    item.append(type, " " + wording(one, mark) + " ", remove);
    return item;
  }));
  one.article.classList.toggle("read", one.box.checked);
  const read = summaries.filter((other) => other.box.checked).length;
  document.getElementById("progress").textContent = `${read} of ${summaries.length} read`;
}

function changed(one) {
  save();
  draw(one);
}

function choose(one, from, to) {
  for (const other of summaries) {
    if (other !== one && other.from !== null) {
      other.from = other.to = null;
      draw(other);
    }
  }
  current = one;
  [one.from, one.to] = [from, to];
  draw(one);
}

function mark(error) {
  if (!current || current.from === null) return;
  const [first, last] = [Math.min(current.from, current.to), Math.max(current.from, current.to)];
  const is = (other) => other.error === error && other.first === first && other.last === last;
  if (!current.marks.some(is)) current.marks.push({ error, first, last });
  changed(current);
}

function selected() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const holds = (other) => other.text.contains(range.startContainer) || other.text.contains(range.endContainer);
  const one = summaries.find(holds);
  if (!one) return;
  const touched = one.words.flatMap((word, number) => {
    const all = document.createRange();
    all.selectNodeContents(word);
    const isBefore = range.compareBoundaryPoints(Range.START_TO_END, all) <= 0;
    const isAfter = range.compareBoundaryPoints(Range.END_TO_START, all) >= 0;
    return isBefore || isAfter ? [] : [number];
  });
  if (!touched.length) return;
  choose(one, touched[0], touched[touched.length - 1]);
  selection.removeAllRanges();
}

function press(one, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const last = one.words.length - 1;
  const at = one.to === null ? 0 : one.to;
  const steps = { ArrowLeft: at - 1, ArrowRight: one.to === null ? 0 : at + 1, Home: 0, End: last };
  if (event.key in steps) {
    const to = Math.max(0, Math.min(last, steps[event.key]));
    choose(one, event.shiftKey && one.from !== null ? one.from : to, to);
    one.words[to].scrollIntoView({ block: "nearest" });
  } else if (event.key >= "1" && event.key <= String(ERRORS.length)) {
    mark(ERRORS[Number(event.key) - 1]);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    one.marks = one.marks.filter((other) => one.to === null || other.last < one.to || one.to < other.first);
    changed(one);
  } else if (event.key === "Escape") {
    choose(one, null, null);
  } else {
    return;
  }
  event.preventDefault();
}

function exported() {
  const lines = [["code", "error", "span", "start", "end"]];
  for (const one of summaries.filter((other) => other.box.checked)) {
    for (const found of one.marks) {
      const [start, end] = [one.words[found.first].dataset.start, one.words[found.last].dataset.end];
      lines.push([one.code, found.error, wording(one, found), start, end]);
    }
    if (!one.marks.length) lines.push([one.code, "", "", "", ""]);
  }
  return csv(lines);
}

load();
for (const one of summaries) {
  one.text.addEventListener("keydown", (event) => press(one, event));
  one.text.addEventListener("click", (event) => {
    const number = one.words.indexOf(event.target.closest(".w"));
    if (number >= 0 && getSelection().isCollapsed && one.from === one.to) choose(one, number, number);
  });
  one.box.addEventListener("change", () => changed(one));
  draw(one);
}
document.addEventListener("mouseup", () => setTimeout(selected));
for (const button of document.querySelectorAll("footer [data-error]")) {
  button.addEventListener("click", () => mark(button.dataset.error));
}
annotator.addEventListener("input", save);
document.getElementById("export").addEventListener("click", download);
