"use strict";
// A document's labels are a map from numbers of sentences to {label, reason}.
const NAMES = { quoted: "quote", alternates: "also good", rejected: "never" };
const KEYS = { 1: "quoted", 2: "alternates", 3: "rejected", 0: "" };
const PLACE = "pagesum-labels-" + document.body.dataset.digest;
const rows = JSON.parse(document.getElementById("data").textContent);
const reason = document.getElementById("reason");
const tools = [...document.querySelectorAll("footer [data-label]")];
let tool = "quoted";

function labelsOf(row) {
  const found = new Map();
  for (const number of row.alternates) found.set(number, { label: "alternates" });
  for (const [number, why] of Object.entries(row.rejected)) found.set(Number(number), { label: "rejected", reason: why });
  for (const number of row.quoted) found.set(number, { label: "quoted" });
  return found;
}

function corrected(row, labels) {
  const numbers = [...labels.keys()].sort((a, b) => a - b);
  const having = (label) => numbers.filter((number) => labels.get(number).label === label);
  const rejected = Object.fromEntries(having("rejected").map((number) => [number, labels.get(number).reason]));
  return { ...row, quoted: having("quoted"), alternates: having("alternates"), rejected };
}

function exported() {
  return views.map((one) => JSON.stringify(corrected(one.row, one.labels)) + "\n").join("");
}

function warn() {
  document.getElementById("warning").textContent = "This browser keeps nothing: download before you close the page.";
}

function recall() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) || "[]");
  } catch {
    warn();
    return [];
  }
}

function keep() {
  try {
    localStorage.setItem(PLACE, JSON.stringify(views.map((one) => [...one.labels])));
  } catch {
    warn();
  }
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function draw(one, number) {
  const known = one.labels.get(number);
  const place = one.places[number];
  place.className = `sentence ${known ? known.label : ""}`.trim();
  const name = known ? NAMES[known.label] + (known.reason ? ": " + known.reason : "") : "";
  place.replaceChildren(...(name ? [element("span", "mark", name)] : []), one.row.sentences[number][1]);
}

function count(one) {
  const words = [...one.labels].reduce((sum, [number, known]) =>
    sum + (known.label === "quoted" ? one.row.sentences[number][1].split(/\s+/).length : 0), 0);
  one.count.textContent = `${words} of ${one.row.budget} words quoted`;
  one.count.classList.toggle("over", words > 1.05 * one.row.budget);
}

function apply(one, number, label) {
  const known = one.labels.get(number);
  const why = label === "rejected" ? { reason: reason.value } : {};
  const isSame = known && known.label === label && (label !== "rejected" || known.reason === reason.value);
  if (!label || isSame) one.labels.delete(number);
  else one.labels.set(number, { label, ...why });
  draw(one, number);
  count(one);
  keep();
}

function press(one, number, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const next = { ArrowUp: number - 1, ArrowDown: number + 1 }[event.key];
  if (next !== undefined) one.places[next]?.focus();
  else if (event.key in KEYS) apply(one, number, KEYS[event.key]);
  else if (event.key === "Enter") apply(one, number, tool);
  else return;
  event.preventDefault();
}

function choose(label) {
  tool = label;
  for (const one of tools) one.setAttribute("aria-pressed", String(one.dataset.label === label));
}

function viewOf(row, labels) {
  const article = document.createElement("article");
  const one = { row, labels, article, count: element("p", "count", ""), places: [] };
  article.append(element("h2", "", row.title || row.id), one.count);
  let heading = "";
  row.sentences.forEach(([own], number) => {
    if (own !== heading) article.append(element("h3", "", own));
    heading = own;
    const place = element("p", "sentence", "");
    place.tabIndex = 0;
    place.dir = "auto";
    place.addEventListener("click", () => { if (getSelection().isCollapsed) apply(one, number, tool); });
    place.addEventListener("keydown", (event) => press(one, number, event));
    one.places.push(place);
    draw(one, number);
    article.append(place);
  });
  count(one);
  return one;
}

const kept = recall();
const views = rows.map((row, number) => viewOf(row, number in kept ? new Map(kept[number]) : labelsOf(row)));
document.querySelector("main").append(...views.map((one) => one.article));
const documents = document.getElementById("documents");
documents.append(...views.map((one, number) => new Option(one.row.title || one.row.id, number)));
documents.addEventListener("change", () => views[documents.value].article.scrollIntoView());
for (const one of tools) one.addEventListener("click", () => choose(one.dataset.label));
choose(tool);
document.getElementById("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([exported()], { type: "application/x-ndjson" }));
  link.download = "labels.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
