"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { confidences, top: end, colors } = data;
const words = [...document.querySelectorAll(".w")];
const pages = [...document.querySelectorAll(".p")];
const labels = [...document.querySelectorAll("#labels div")];
const shares = pages.map((row) => parseFloat(row.querySelector(".now").textContent) / 100);
const map = document.getElementById("map");
const live = document.getElementById("live");
const percent = (value, digits) => (100 * value).toFixed(digits) + "%";
let focused = null; // is shown again when the pointer leaves

function color(value) {
  const place = Math.min(value / end, 1) * (colors.length - 1);
  const low = Math.min(Math.floor(place), colors.length - 2);
  const mixed = colors[low].map((from, i) => Math.round(from + (place - low) * (colors[low + 1][i] - from)));
  return `rgb(${mixed.join(",")})`;
}

// Bars and numbers of all pages, for the whole summary or at one word.
function fill(values, heading, max) {
  pages.forEach((row, page) => {
    row.querySelector(".bar span").style.width = percent(values[page] / max, 1);
    row.querySelector(".now").textContent = percent(values[page], 1);
  });
  document.getElementById("now").textContent = heading;
}

function clear() {
  words.forEach((word) => { word.classList.remove("on"); word.style.backgroundColor = ""; });
  pages.forEach((row) => row.classList.remove("on"));
  fill(shares, "share", Math.max(...shares));
  draw(null, null);
}

function showWord(number) {
  clear();
  words[number].classList.add("on");
  fill(confidences[number], `at “${words[number].textContent}”`, Math.max(end, ...confidences[number]));
  const own = confidences[number].slice(0, pages.length - data.hasRest);
  const best = own.indexOf(Math.max(...own));
  pages[best].classList.add("on");
  reveal(pages[best]);
  draw(number, null);
  return `${pages[best].querySelector("th").textContent}: ${percent(confidences[number][best], 0)}`;
}

// Scroll the list of pages, and nothing else, to a row.
function reveal(row) {
  const side = document.getElementById("side"), box = side.getBoundingClientRect(), at = row.getBoundingClientRect();
  if (at.top < box.top) side.scrollTop -= box.top - at.top;
  else if (at.bottom > box.bottom) side.scrollTop += at.bottom - box.bottom;
}

function showPage(page) {
  clear();
  pages[page].classList.add("on");
  words.forEach((word, number) => {
    word.style.backgroundColor = `rgba(var(--lit), ${Math.min(confidences[number][page] / end, 1) * 0.75})`;
  });
  draw(null, page);
  return `share ${percent(shares[page], 0)}`;
}

function show(what) {
  if (!what) return clear();
  return what.word !== undefined ? showWord(what.word) : showPage(what.page);
}

// The heat map, with a frame around the selected word or page.
function draw(word, page) {
  const scale = window.devicePixelRatio || 1;
  const width = map.clientWidth, row = Math.max(13, Math.min(20, 420 / pages.length));
  map.width = Math.round(width * scale);
  map.height = Math.round(row * pages.length * scale);
  map.style.height = row * pages.length + "px";
  labels.forEach((label) => { label.style.height = label.style.lineHeight = row + "px"; });
  const pen = map.getContext("2d");
  const across = map.width / words.length, down = map.height / pages.length;
  confidences.forEach((column, x) => column.forEach((value, y) => {
    pen.fillStyle = color(value);
    const left = Math.floor(x * across), upper = Math.floor(y * down);
    pen.fillRect(left, upper, Math.ceil((x + 1) * across) - left, Math.ceil((y + 1) * down) - upper);
  }));
  pen.strokeStyle = "white";
  pen.lineWidth = 2 * scale;
  if (word !== null) pen.strokeRect(word * across, 1, Math.max(across, 3), map.height - 2);
  if (page !== null) pen.strokeRect(1, page * down, map.width - 2, down);
}

// Tab reaches one element of a group; the arrow keys move inside it.
function listen(group, kind) {
  group.forEach((element, number) => {
    const what = { [kind]: number };
    element.addEventListener("mouseenter", () => show(what));
    element.addEventListener("mouseleave", () => show(focused));
    element.addEventListener("focus", () => {
      focused = what;
      live.textContent = show(what);
      group.forEach((other) => { other.tabIndex = other === element ? 0 : -1; });
    });
    element.addEventListener("blur", () => { focused = null; live.textContent = ""; clear(); });
    element.addEventListener("keydown", (event) => {
      const last = group.length - 1;
      const to = { ArrowRight: number + 1, ArrowDown: number + 1, ArrowLeft: number - 1, ArrowUp: number - 1,
        Home: 0, End: last }[event.key];
      if (event.key === "Escape") element.blur();
      if (to === undefined) return;
      event.preventDefault();
      group[Math.max(0, Math.min(last, to))].focus();
    });
  });
}

map.addEventListener("mousemove", (event) => {
  const box = map.getBoundingClientRect();
  show({ word: Math.min(words.length - 1, Math.floor(((event.clientX - box.left) / box.width) * words.length)) });
});
map.addEventListener("mouseleave", () => show(focused));
listen(words, "word");
listen(pages, "page");
window.addEventListener("resize", () => show(focused));
const ramp = document.getElementById("ramp").getContext("2d");
for (let x = 0; x < 160; x++) { ramp.fillStyle = color((x / 159) * end); ramp.fillRect(x, 0, 1, 10); }
const largest = Math.max(...confidences.map((column) => Math.max(...column)));
document.getElementById("top").textContent = (largest > end ? "≥ " : "") + percent(end, 0);
clear();
