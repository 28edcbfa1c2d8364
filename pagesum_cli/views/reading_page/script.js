"use strict";
// Choosing a sentence shows where it comes from; choosing a quote leads back. Without this script the links do the same.
const wide = matchMedia("(min-width: 62rem)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const by = (id) => document.getElementById(id);
const sentences = [...document.querySelectorAll(".s")];
const numberOf = (sentence) => sentences.indexOf(sentence) + 1;
const quotesOf = (number) => [...document.querySelectorAll(`.q[data-s~="${number}"]`)];
let current = 0;

function scroll(element, block) {
  const away = Math.abs(element.getBoundingClientRect().top) > 3 * innerHeight;
  element.scrollIntoView({ block, behavior: away || calm.matches ? "auto" : "smooth" });
}

/** Shows how strongly the parts contribute to a generated sentence: `weights` is "part:percent part:percent". */
function light(weights) {
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const part of document.querySelectorAll(".part.now")) {
    part.classList.remove("now");
    part.lastChild.textContent = part.dataset.share;
  }
  for (const [part, percent] of (weights || "").split(" ").filter(Boolean).map((pair) => pair.split(":"))) {
    for (const one of document.querySelectorAll(`[data-p="${part}"]`)) {
      one.classList.add("lit");
      one.style.setProperty("--weight", percent / 100);
    }
    const mark = by(`p${part}`);
    if (!mark) continue;
    mark.dataset.share ??= mark.lastChild.textContent;
    mark.classList.add("now");
    mark.lastChild.textContent = `${percent} %`;
  }
}

/** Makes a sentence (from 1; 0 for none) the current one. */
function mark(number) {
  for (const one of document.querySelectorAll(".q.now, li.now")) one.classList.remove("now");
  sentences[current - 1]?.removeAttribute("aria-current");
  current = number;
  by("previous").disabled = number <= 1;
  by("next").disabled = number === sentences.length;
  by("at").textContent = `${number || "–"} of ${sentences.length}`;
  const sentence = sentences[number - 1];
  light(sentence?.dataset.w);
  if (!sentence) {
    by("live").textContent = "";
    return;
  }
  sentence.setAttribute("aria-current", "true");
  sentence.parentElement.classList.add("now");
  for (const quote of quotesOf(number)) quote.classList.add("now");
  const cite = sentence.parentElement.querySelector("cite")?.textContent;
  by("live").textContent = `Sentence ${number} of ${sentences.length}${cite ? `: ${cite}` : ""}`;
}

/** The address names the current sentence, so that it can be kept; some viewers do not allow this. */
function remember(number) {
  try {
    history.replaceState(null, "", number ? `#q${number}` : location.pathname + location.search);
  } catch { /* the page works without it */ }
}

function choose(number) {
  mark(number);
  remember(number);
  const target = by(`q${number}`);
  if (target) scroll(target.closest(".q, .part") ?? target, "center");
  if (wide.matches) sentences[number - 1].parentElement.scrollIntoView({ block: "nearest" });
}

function goBack(number) {
  mark(number);
  remember(number);
  scroll(sentences[number - 1].parentElement, wide.matches ? "nearest" : "center");
  sentences[number - 1].focus({ preventScroll: true });
}

function clear() {
  mark(0);
  remember(0);
}

const isPlain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.s, a.q");
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  if (link.matches(".q")) {
    if (!getSelection().isCollapsed) return; // text was selected
    const numbers = link.dataset.s.split(" ").map(Number);
    goBack(numbers.includes(current) ? current : numbers[0]);
    return;
  }
  const number = numberOf(link);
  choose(number);
  if (event.detail === 0) quotesOf(number)[0]?.focus({ preventScroll: true }); // by keyboard: go there
});

document.addEventListener("focusin", (event) => {
  const link = event.target;
  if (!wide.matches || !link.matches?.("a.s:focus-visible, a.q:focus-visible")) return;
  const number = link.matches(".s") ? numberOf(link) : Number(link.dataset.s.split(" ")[0]);
  if (link.matches(".q") ? link.dataset.s.split(" ").includes(String(current)) : number === current) return;
  if (link.matches(".s")) choose(number);
  else mark(number);
});

document.addEventListener("keydown", (event) => {
  if (!isPlain(event)) return;
  const link = document.activeElement;
  if (event.key === "Escape" && current) {
    if (link.matches(".q")) goBack(current);
    else clear();
    return;
  }
  if (!link.matches(".s")) return;
  const number = numberOf(link);
  const to = { ArrowDown: number + 1, ArrowUp: number - 1, Home: 1, End: sentences.length }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = Math.max(1, Math.min(sentences.length, to));
  sentences[next - 1].focus({ preventScroll: wide.matches });
  if (wide.matches) choose(next);
  else mark(next);
});

by("previous").addEventListener("click", () => choose(current - 1));
by("next").addEventListener("click", () => choose(current + 1));
by("back").addEventListener("click", () => goBack(current || 1));

/** Follows an address that names a sentence. The browser focuses the quote: a frame around it is too much here. */
function follow() {
  if (document.activeElement.matches(".q")) document.activeElement.blur();
  const [, kind, number] = location.hash.match(/^#([qs])(\d+)$/) ?? [];
  if (!kind || number < 1 || number > sentences.length) return;
  if (kind === "q") choose(Number(number));
  else mark(Number(number));
}

for (const link of document.querySelectorAll("a.q")) link.draggable = false;
by("controls").hidden = false;
mark(0);
addEventListener("load", follow);
addEventListener("hashchange", follow);
