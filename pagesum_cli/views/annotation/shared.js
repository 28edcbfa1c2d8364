"use strict";
// What both pages of annotators do: keep the work in the browser, and export it.
const PLACE = "pagesum-annotation-" + document.body.dataset.sheet;
const annotator = document.getElementById("annotator");

function warn() {
  document.getElementById("warning").textContent = "This browser keeps nothing: export before you close the page.";
}

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) || "{}");
    annotator.value = kept.annotator || "";
    return kept;
  } catch {
    warn();
    return {};
  }
}

function keep(work) {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ annotator: annotator.value, ...work }));
  } catch {
    warn();
  }
}

function cell(value) {
  const text = /^[=+\-@]/.test(value) ? " " + value : String(value);
  return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function csv(lines) {
  return lines.map((line) => line.map(cell).join(",") + "\n").join("");
}

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([exported()], { type: "text/csv" }));
  link.download = `annotations-${annotator.value.replace(/[^\p{L}\p{N}_-]/gu, "_") || "unnamed"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

