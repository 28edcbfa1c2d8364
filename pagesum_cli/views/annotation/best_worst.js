// A judgement is a checked radio button: its name is the code and the criterion, its value A or B.
const CRITERIA = document.body.dataset.criteria.split(" ");
const codes = [...document.querySelectorAll("article")].map((article) => article.id);
const choices = [...document.querySelectorAll("article input")];

function chosen() {
  return Object.fromEntries(choices.filter((one) => one.checked).map((one) => [one.name, one.value]));
}

function draw() {
  const made = chosen();
  let complete = 0;
  for (const code of codes) {
    const isComplete = CRITERIA.every((criterion) => `${code} ${criterion}` in made);
    document.getElementById(code).classList.toggle("read", isComplete);
    complete += isComplete;
  }
  document.getElementById("progress").textContent = `${complete} of ${codes.length} pairs judged`;
}

function save() {
  keep({ choices: chosen() });
  draw();
}

function exported() {
  const made = chosen();
  const lines = codes.map((code) => [code, ...CRITERIA.map((criterion) => made[`${code} ${criterion}`] || "")]);
  return csv([["code", ...CRITERIA], ...lines]);
}

const kept = recall().choices || {};
for (const one of choices) {
  one.checked = kept[one.name] === one.value;
  one.addEventListener("change", save);
}
draw();
annotator.addEventListener("input", save);
document.getElementById("export").addEventListener("click", download);
