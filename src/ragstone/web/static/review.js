// One question on one screen: keys decide, and nothing is shown of rule and judge before the verdict is saved.

import { call, element, post, tell, word } from "./page.js";

const place = document.getElementById("review");
const at = (id) => document.getElementById(id);
const { run, queue, against } = place.dataset;
const base = `/api/v1/review/${encodeURIComponent(run)}`;
const problem = at("problem");
const more = at("more");
const KEYS = { 1: "stated", 2: "absent", 3: "denied", u: "unsure" };
const MOVES = { z: "undo", j: "next", k: "previous", c: "comment" };
const seen = [];
let item = null;
let shownAt = 0;
let busy = false;

function percent(value) {
  return String(Math.round(value * 1000) / 10);
}

function showProgress(progress) {
  if (!progress) return;
  const parts = [word("review.progress", progress)];
  if (queue === "sample") {
    const half = percent(progress.half);
    const missing = progress.now === null ? "review.pilot" : "review.wanted";
    parts.push(progress.wanted ? word(missing, { n: progress.wanted, half }) : word("review.reached", { half }));
    if (progress.now !== null) {
      parts.push(word("review.estimate", { mean: percent(progress.mean), now: percent(progress.now) }));
    }
  }
  if (progress.unsure) parts.splice(1, 0, word("review.unsure.left", { n: progress.unsure }));
  at("stand").textContent = parts.join(" · ");
  for (const count of document.querySelectorAll("[data-left]")) count.textContent = progress.left[count.dataset.left];
}

function said(found) {
  const rule = word(`review.${found.rule}`);
  return found.judge ? word("review.said", { rule, judge: word(`review.${found.judge}`) }) : word("review.said.rule", { rule });
}

function caseLink(row) {
  return element("a", { href: `/eval/runs/${encodeURIComponent(run)}/cases/${row}` }, word("review.case"));
}

function show(next, remember = true) {
  if (item && remember && seen.at(-1) !== item.number) seen.push(item.number);
  item = next;
  at("one").hidden = at("decide").hidden = !item;
  at("empty").hidden = Boolean(item);
  more.reset();
  openMore(false);
  if (!item) return;
  shownAt = performance.now();
  const failed = item.failed?.length ? [word("review.failed", { rules: item.failed.join(" · ") })] : [];
  at("where").textContent = [item.case, item.model, ...failed].join(" · ");
  at("question").textContent = item.question;
  at("ask").textContent = word(`review.ask.${item.kind}`);
  at("point").textContent = item.point;
  at("point").hidden = !item.point;
  at("answer").textContent = item.answer || word("review.silent");
  at("answer").scrollTop = 0;
  showSources();
  at("points").replaceChildren(...item.points.filter(Boolean).map((point) => element("li", {}, point)));
  at("gold").hidden = item.points.filter(Boolean).length < 2;
  const others = (item.said ?? []).map((one) =>
    element("li", { class: "tag" }, `${one.reviewer}: ${word(`review.${one.verdict}`)}${one.comment ? ` – ${one.comment}` : ""}`));
  at("others").replaceChildren(...others);
  at("others").hidden = !others.length;
  if (item.comment) more.elements.comment.value = item.comment;
  for (const button of document.querySelectorAll("[data-verdict]")) {
    button.setAttribute("aria-pressed", String(item.own === button.dataset.verdict));
  }
  if (item.rule) at("saved").replaceChildren(said(item), " ", caseLink(item.row));
}

function showSources() {
  const sources = item.sources.length ? item.sources : item.source ? [{ name: "", text: item.source }] : [];
  const list = sources.map((one) => element("section", {}, element("h3", {}, one.name || "–"), element("p", {}, one.text)));
  at("sources-list").replaceChildren(...list);
  at("sources-count").textContent = sources.length || "";
  at("sources").hidden = !sources.length;
  at("sources").open = item.kind === "supported";
}

function openMore(open) {
  more.hidden = !open;
  document.querySelector('[data-move="comment"]').setAttribute("aria-expanded", String(open));
  if (open) more.elements.comment.focus();
}

// What is marked in the answer, counted in characters as the server counts them.
function quote() {
  const chosen = getSelection();
  if (!item.quotable || !item.answer || !chosen.rangeCount || chosen.isCollapsed) return null;
  const range = chosen.getRangeAt(0);
  if (!at("answer").contains(range.commonAncestorContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(at("answer"));
  before.setEnd(range.startContainer, range.startOffset);
  const start = Array.from(before.toString()).length;
  return [start, start + Array.from(range.toString()).length];
}

// A server that is gone comes back: what was decided waits for it.
async function insist(path, value) {
  for (;;) {
    const answer = await post(path, value);
    if (answer.status && answer.status < 500) return answer;
    tell(problem, word("review.waiting"));
    await new Promise((done) => setTimeout(done, 700));
  }
}

async function alone(work) {
  if (busy) return;
  busy = true;
  place.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    busy = false;
    place.removeAttribute("aria-busy");
  }
}

function decide(verdict) {
  return alone(async () => {
    if (!item) return;
    const decided = item;
    const sent = {
      item: item.number,
      verdict,
      queue,
      comment: more.elements.comment.value,
      gold: more.elements.gold.value,
      synonyms: more.elements.synonyms.value.split(/[=＝]/).map((text) => text.trim()).filter(Boolean).slice(0, 8),
      seconds: Math.min(86400, Math.round(performance.now() - shownAt) / 1000),
      quote: quote(),
    };
    const { ok, body } = await insist(`${base}/${queue === "settle" ? "settle" : "labels"}`, sent);
    if (!ok) return tell(problem, body.error?.message ?? "");
    tell(problem, "");
    getSelection().removeAllRanges();
    show(body.item);
    const words = word("review.saved", { case: decided.case, verdict: word(`review.${verdict}`) });
    at("saved").replaceChildren(`${words} ${said(body)} `, caseLink(decided.row));
    showProgress(body.progress);
  });
}

async function get(path) {
  const { ok, body } = await call(`${base}${path}`);
  tell(problem, ok ? "" : body.error?.message ?? "");
  return ok ? body : null;
}

const moves = {
  async undo() {
    const { ok, body } = await insist(`${base}/undo`, { queue });
    tell(problem, ok ? "" : body.error?.message ?? "");
    if (!ok) return;
    if (body.item) show(body.item);
    showProgress(body.progress);
    at("saved").textContent = body.item ? word("review.undone", { case: body.item.case }) : word("review.undo.none");
  },
  async next() {
    const after = item ? `&after=${item.number}` : "";
    const found = await get(`/next?queue=${queue}${after}`);
    if (!found) return;
    at("saved").textContent = "";
    // The only question that is left comes again.
    if (found.item || !item) show(found.item);
    showProgress(found.progress);
  },
  async previous() {
    const number = seen.pop();
    if (number === undefined) return;
    const found = await get(`/items/${number}`);
    if (!found) return;
    at("saved").textContent = "";
    show(found.item, false);
  },
  async comment() {
    openMore(more.hidden);
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing) return;
  const key = event.key.toLowerCase();
  if (KEYS[key]) decide(KEYS[key]);
  else if (MOVES[key]) alone(moves[MOVES[key]]);
  else return;
  event.preventDefault();
});

for (const button of document.querySelectorAll("[data-verdict]")) {
  button.addEventListener("click", () => decide(button.dataset.verdict));
}
for (const button of document.querySelectorAll("[data-move]")) {
  button.addEventListener("click", () => alone(moves[button.dataset.move]));
}
more.addEventListener("submit", (event) => event.preventDefault());

document.querySelector(".queues [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
at("stand").textContent = word("review.loading");
alone(async () => {
  const found = await get(`/next?queue=${queue}${against ? `&against=${encodeURIComponent(against)}` : ""}`);
  at("stand").textContent = "";
  if (!found) return;
  show(found.item);
  showProgress(found.progress);
});
