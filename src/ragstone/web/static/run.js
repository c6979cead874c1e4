// A run: watch it, stop it, go on with it; find cases by filter, search and order.

import { actions } from "./label.js";
import { call, element, post, tell, word } from "./page.js";

const page = document.getElementById("run");
const run = page.dataset.run;
const base = `/api/v1/runs/${encodeURIComponent(run)}`;
const problem = document.getElementById("problem");
const form = document.getElementById("filter");
const body = document.querySelector("#table tbody");
const more = document.getElementById("more");
const total = document.getElementById("total");
const count = new Intl.NumberFormat(document.documentElement.lang);

// --- watching ---

function set(id, text) {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

function time(seconds) {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
}

const shown = {
  flag: (mean) => [`${(100 * mean).toFixed(1)}%`, mean],
  ratio: (mean) => [`${(100 * mean).toFixed(1)}%`, mean],
  points: (mean) => [mean.toFixed(2), mean / 100],
  error: (mean) => [mean.toPrecision(4), null],
  plain: (mean) => [mean.toFixed(3), mean],
};

function figure(name, mean, n, open = 0, high = null) {
  const card = page.querySelector(`[data-figure="${CSS.escape(name)}"]`);
  if (!card || mean === null) return;
  const say = shown[card.dataset.kind];
  const [text, share] = say(mean);
  card.querySelector("[data-value]").textContent = text;
  card.querySelector("[data-n]").textContent = n;
  tell(card.querySelector("[data-note]"), open && high !== null ? word("overall.open", { n: open, high: say(high)[0] }) : "");
  const bar = card.querySelector(".bar .plain");
  if (bar && share !== null) bar.setAttribute("width", String(100 * share));
  // What was measured before says nothing of the figure that moves: the interval comes back with the end.
  card.querySelector(".bar .whisker")?.remove();
  card.querySelector("[data-interval]")?.replaceChildren("\u00a0");
  card.querySelector("[data-na]")?.remove();
}

function figures(block) {
  figure("pass_rate", block.pass_rate, block.cases);
  figure("primary_score", block.primary_score, block.cases);
  for (const [name, one] of Object.entries(block.metrics)) figure(name, one.mean, one.n, one.open, one.mean_high);
  for (const name of ["scored", "errored", "unparsed"]) {
    const place = page.querySelector(`[data-count="${name}"]`);
    if (place) place.textContent = count.format(block[name]);
  }
}

let shownCases = 0;
let asked = 0;

function show(live) {
  const bar = document.getElementById("bar");
  if (bar) {
    bar.max = live.expected || 1;
    bar.value = live.finished;
  }
  const blocks = Object.values(live.blocks);
  set("done", count.format(live.finished));
  set("expected", live.expected ? count.format(live.expected) : "…");
  set("failed", count.format(blocks.reduce((sum, block) => sum + block.errored, 0)));
  const going = live.state === "running";
  const judging = going && live.judged !== null;
  // How many questions the judge will be asked nobody knows before.
  if (judging) bar?.removeAttribute("value");
  document.getElementById("answers")?.toggleAttribute("hidden", judging && !live.expected);
  set("rate", live.rate && !judging ? live.rate.toFixed(1) : "–");
  set("left", going && !judging ? time(live.seconds_left) : "–");
  set("cost", live.cost === null ? "–" : Number(live.cost.toPrecision(4)).toString());
  if (live.judged !== null) set("judged", count.format(live.judged));
  document.getElementById("judging")?.toggleAttribute("hidden", live.judged === null);
  const told = live.stopping ? word("run.stopping") : judging ? word(live.judged ? "progress.judging" : "progress.judge_waits") : "";
  set("notices", [told, live.notices.at(-1)].filter(Boolean).join(" · "));
  if (live.stopping) page.querySelector("[data-cancel]").textContent = word("run.drop");
  const badge = page.querySelector("[data-badge]");
  badge.textContent = word(`state.${live.state}`);
  badge.className = `badge state-${live.state}`;
  // With several models the page is about one of them: figures of another are never shown in its place.
  const block = page.dataset.model ? live.blocks[page.dataset.model] : blocks[0];
  if (block) figures(block);
  if (!form && live.expected && live.state === "running") location.reload();
  if (form && live.finished > shownCases) refresh(live.finished);
}

// New cases are looked for seldom, and once more after the last ones.
let later = 0;

function refresh(finished) {
  clearTimeout(later);
  later = setTimeout(() => {
    if (filtered()) return;
    shownCases = finished;
    load(false);
  }, Math.max(0, 1500 - (Date.now() - asked)));
}

function watch() {
  const source = new EventSource(`${base}/events`);
  source.addEventListener("progress", (event) => {
    tell(problem, "");
    show(JSON.parse(event.data));
  });
  source.addEventListener("end", (event) => {
    source.close();
    show(JSON.parse(event.data));
    location.reload();
  });
  source.addEventListener("error", () => tell(problem, word("progress.lost")));
}

page.querySelector("[data-cancel]")?.addEventListener("click", async (event) => {
  event.target.disabled = true;
  const { ok, body: told } = await post(`${base}/cancel`);
  event.target.disabled = false;
  if (!ok) tell(problem, told.error?.message ?? "");
});

page.querySelector("[data-resume]")?.addEventListener("click", async (event) => {
  event.target.disabled = true;
  const { ok, body: told } = await post(`${base}/resume`, { retry_failed: event.target.dataset.resume === "retry" });
  if (ok) location.reload();
  else tell(problem, told.error?.message ?? "");
  event.target.disabled = false;
});

for (const button of page.querySelectorAll("[data-judge]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { ok, body: told } = await post(`${base}/judge`, { judge: button.dataset.judge });
    if (ok) location.reload();
    else tell(problem, told.error?.message ?? "");
    button.disabled = false;
  });
}

// --- cases ---

const KEPT = ["q", "state", "tag", "group", "reason", "author", "open", "metric", "sort"];
let next = null;
let latest = 0;
// What is looked at, as it stands in the address of a case: its neighbours are those of the list.
let shownQuery = "";

function query() {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) given.set(name, value);
  if (page.dataset.model) given.set("model", page.dataset.model);
  return given;
}

function filtered() {
  const given = query();
  given.delete("sort");
  given.delete("model");
  return given.size > 0 || form.elements.sort.value !== "number" || body.children.length > 20;
}

function mark(text) {
  const kind = text === "√" ? "good" : text === "×" ? "bad" : "";
  return element("td", { class: `mark-cell ${kind}` }, text);
}

function row(one) {
  const link = element("a", { href: `/eval/runs/${encodeURIComponent(run)}/cases/${one.number}${shownQuery}` }, one.id);
  const extra = [page.dataset.model && `@${one.model}`, one.repeat && `#${one.repeat + 1}`].filter(Boolean).join(" ");
  const answer = one.answer || word("cases.empty");
  return element(
    "tr",
    { class: one.state },
    element("th", { scope: "row" }, link, extra ? element("span", { class: "run-more" }, extra) : null),
    element("td", { class: "text" }, one.question),
    element(
      "td",
      { class: "text" },
      element("span", { class: one.answer ? "said" : "hint" }, answer),
      one.state === "passed" ? null : element("span", { class: "because" }, one.why),
    ),
    element("td", { class: "mark-cell" }, one.score.toFixed(3)),
    ...one.marks.map(mark),
  );
}

async function load(further) {
  const mine = ++latest;
  asked = Date.now();
  const given = query();
  given.set("limit", further ? "50" : "20");
  if (further && next) given.set("after", next);
  const { ok, body: found } = await call(`${base}/cases?${given}`);
  if (mine !== latest) return;
  if (!ok) {
    total.textContent = found.error?.message ?? "";
    return;
  }
  const kept = query();
  if (kept.get("sort") === "number") kept.delete("sort");
  shownQuery = kept.size ? `?${kept}` : "";
  const rows = found.rows.map(row);
  if (further) body.append(...rows);
  else body.replaceChildren(...rows);
  next = found.next;
  more.hidden = !next;
  const many = word(Number(page.dataset.repeats) > 1 ? "cases.answers" : "cases.total", { n: count.format(found.total) });
  total.textContent = found.total ? many : word(page.dataset.going && !filtered() ? "cases.waiting" : "cases.none");
  for (const id of ["again", "take", "rows"]) document.getElementById(id)?.toggleAttribute("hidden", !found.total);
  if (further) rows[0]?.querySelector("a").focus();
}

function keep() {
  sorted();
  const address = new URL(location.href);
  for (const name of KEPT) address.searchParams.delete(name);
  for (const [name, value] of query()) if (name !== "model" && !(name === "sort" && value === "number")) address.searchParams.set(name, value);
  history.replaceState(null, "", address);
}

function sorted() {
  const sort = form.elements.sort.value;
  for (const button of page.querySelectorAll("[data-sort]")) {
    const way = sort === button.dataset.sort ? "ascending" : sort === `-${button.dataset.sort}` ? "descending" : null;
    const head = button.closest("th");
    if (way) head.setAttribute("aria-sort", way);
    else head.removeAttribute("aria-sort");
  }
  const take = document.getElementById("take");
  if (take) take.href = `${base}/dataset?${query()}`;
  const table = document.getElementById("rows");
  if (table) table.href = `${base}/cases.csv?${query()}`;
}

async function again(event) {
  event.target.disabled = true;
  const wanted = Object.fromEntries(query());
  const { ok, body: told } = await post(`${base}/again`, { ...wanted, open: wanted.open === "true" });
  if (ok) location.href = `/eval/runs/${encodeURIComponent(told.run_id)}`;
  else tell(problem, told.error?.message ?? "");
  event.target.disabled = false;
}

function filter(name, value) {
  form.reset();
  if (form.elements[name]) form.elements[name].value = value;
  keep();
  load(false);
  form.querySelector("input").focus({ preventScroll: true });
}

if (form) {
  const unknown = [];
  for (const [name, value] of new URL(location.href).searchParams) {
    const field = KEPT.includes(name) ? form.elements[name] : null;
    if (field?.type === "checkbox") field.checked = value === "true";
    else if (field?.tagName === "SELECT" && ![...field.options].some((one) => one.value === value)) unknown.push(`${name}=${value}`);
    else if (field) field.value = value;
    else if (KEPT.includes(name)) unknown.push(`${name}=${value}`);
  }
  // A link that asks for what is not here must not pass for one that asks for everything.
  if (unknown.length) tell(problem, word("link.unknown", { what: unknown.join(", ") }));
  for (const button of page.querySelectorAll("[data-sort]")) {
    button.addEventListener("click", () => {
      const name = button.dataset.sort;
      form.elements.sort.value = form.elements.sort.value === name ? `-${name}` : name;
      keep();
      load(false);
    });
  }
  document.getElementById("again")?.addEventListener("click", again);
  sorted();
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      keep();
      load(false);
    }, 150);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => {
    keep();
    load(false);
  }));
  more.addEventListener("click", () => load(true));
  for (const name of ["group", "tag", "state"]) {
    for (const link of page.querySelectorAll(`[data-filter-${name}]`)) {
      link.addEventListener("click", () => filter(name, link.getAttribute(`data-filter-${name}`)));
    }
  }
  load(false);
}

const menu = page.querySelector("details.menu[data-name]");
if (menu) actions(menu, run, problem, () => { location.href = `/eval/history?removed=${encodeURIComponent(run)}`; });

if (page.dataset.going) watch();
