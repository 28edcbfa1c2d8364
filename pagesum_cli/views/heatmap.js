"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { confidences, top: end, colours } = data;
const words = [...document.querySelectorAll(".w")];
const pages = [...document.querySelectorAll(".p")];
const shares = pages.map((row) => parseFloat(row.querySelector(".now").textContent) / 100);
const map = document.getElementById("map");
const live = document.getElementById("live");
const percent = (value, digits) => (100 * value).toFixed(digits) + "%";
let held = null; // what has the focus, and is shown again when the pointer leaves

function colour(value) {
  const place = Math.min(value / end, 1) * (colours.length - 1);
  const low = Math.min(Math.floor(place), colours.length - 2);
  const mixed = colours[low].map((from, i) => Math.round(from + (place - low) * (colours[low + 1][i] - from)));
  return `rgb(${mixed.join(",")})`;
}

// Bars and numbers of all pages: of the whole summary, or at one word.
function fill(values, heading, most) {
  pages.forEach((row, page) => {
    row.querySelector(".bar span").style.width = percent(values[page] / most, 1);
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
  const best = confidences[number].indexOf(Math.max(...confidences[number]));
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

// The heat map, with a frame around the word or page that is shown.
function draw(word, page) {
  const scale = window.devicePixelRatio || 1;
  const width = map.clientWidth, row = Math.max(1, Math.min(14, 420 / pages.length));
  map.width = Math.round(width * scale);
  map.height = Math.round(row * pages.length * scale);
  map.style.height = row * pages.length + "px";
  const pen = map.getContext("2d");
  const across = map.width / words.length, down = map.height / pages.length;
  confidences.forEach((column, x) => column.forEach((value, y) => {
    pen.fillStyle = colour(value);
    const left = Math.floor(x * across), upper = Math.floor(y * down);
    pen.fillRect(left, upper, Math.ceil((x + 1) * across) - left, Math.ceil((y + 1) * down) - upper);
  }));
  pen.strokeStyle = "white";
  pen.lineWidth = 2 * scale;
  if (word !== null) pen.strokeRect(word * across, 1, Math.max(across, 3), map.height - 2);
  if (page !== null) pen.strokeRect(1, page * down, map.width - 2, down);
}

// One of a group can be reached by Tab; the arrow keys move on inside it.
function listen(group, kind) {
  group.forEach((element, number) => {
    const what = { [kind]: number };
    element.addEventListener("mouseenter", () => show(what));
    element.addEventListener("mouseleave", () => show(held));
    element.addEventListener("focus", () => {
      held = what;
      live.textContent = show(what);
      group.forEach((other) => { other.tabIndex = other === element ? 0 : -1; });
    });
    element.addEventListener("blur", () => { held = null; live.textContent = ""; clear(); });
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
map.addEventListener("mouseleave", () => show(held));
listen(words, "word");
listen(pages, "page");
window.addEventListener("resize", () => show(held));
const ramp = document.getElementById("ramp").getContext("2d");
for (let x = 0; x < 160; x++) { ramp.fillStyle = colour((x / 159) * end); ramp.fillRect(x, 0, 1, 10); }
const greatest = Math.max(...confidences.map((column) => Math.max(...column)));
document.getElementById("top").textContent = (greatest > end ? "≥ " : "") + percent(end, 0);
clear();
