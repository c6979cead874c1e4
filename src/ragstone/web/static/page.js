// What every page needs: words, requests to our own server, language, theme, logging out.
// Text that comes from anywhere is put into pages as text, never as markup.

const words = JSON.parse(document.getElementById("words").textContent);
let token = document.querySelector('meta[name="csrf"]').content;

export function word(name, places = {}) {
  // {n:case|cases} is a count in English, as on the server.
  return (words[name] ?? name).replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, place, one, many) => {
    const value = String(places[place] ?? "");
    return many === undefined ? value : `${value} ${value === "1" ? one : many}`;
  });
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

async function send(path, options) {
  const headers = { Accept: "application/json", ...options.headers };
  if (options.method && options.method !== "GET") headers["X-Ragstone-Token"] = token;
  return fetch(path, { ...options, headers, credentials: "same-origin" });
}

// The server may have been started again since the page was loaded; its token is then another one.
async function sendAgain(path, options) {
  const session = await send("/api/v1/session", {});
  if (!session.ok) return send(path, options);
  token = (await session.json()).token;
  return send(path, options);
}

export async function call(path, options = {}) {
  let response = null;
  try {
    response = await send(path, options);
    if (response.status === 403) response = await sendAgain(path, options);
  } catch {
    return { ok: false, status: 0, body: { error: { message: word("page.unreachable") } } };
  }
  if (response.status === 401) {
    location.href = `/eval/login?next=${encodeURIComponent(location.pathname)}`;
  }
  const body = await response.json().catch(() => ({}));
  return { ok: response.ok, status: response.status, body };
}

export function post(path, value = {}) {
  return call(path, { method: "POST", body: JSON.stringify(value), headers: { "Content-Type": "application/json" } });
}

export function tell(problem, text) {
  problem.textContent = text;
  problem.hidden = !text;
}

document.querySelector("[data-language]").addEventListener("change", (event) => {
  const address = new URL(location.href);
  address.searchParams.set("lang", event.target.value);
  location.href = address.href;
});

document.querySelector("[data-theme-switch]").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  document.cookie = `ragstone_theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
});

document.querySelector("[data-logout]")?.addEventListener("click", async () => {
  await send("/eval/logout", { method: "POST", redirect: "manual" });
  location.href = "/eval/login";
});

// Times stand in the page in UTC; here they are put into the reader's own zone.
const clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });
for (const place of document.querySelectorAll("[data-time]")) {
  const moment = new Date(place.dataset.time);
  if (Number.isNaN(moment.getTime())) continue;
  const local = clock.format(moment);
  if (place.tagName === "OPTION") place.text = place.text.replace(place.dataset.shown, local);
  else {
    if (place.tagName === "TIME") place.title = place.textContent;
    place.textContent = local;
  }
}

for (const select of document.querySelectorAll("[data-submit]")) {
  select.addEventListener("change", () => select.form.submit());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      getSelection().selectAllChildren(source);
      return;
    }
    button.textContent = word("notes.copied");
  });
}

// Long files are hashed when the page is there already.
async function prove(late) {
  const { ok, body } = await call(`/api/v1/runs/${encodeURIComponent(late.dataset.late)}/altered`);
  if (ok && body.text) late.replaceWith(element("p", { class: "banner warn", role: "alert" }, body.text));
  else if (ok) late.remove();
}

for (const late of document.querySelectorAll("[data-late]")) prove(late);

// Long texts are folded; without scripts they stand in full.
for (const text of document.querySelectorAll("[data-fold]")) {
  if (text.scrollHeight < 480) continue;
  const button = element("button", { type: "button", class: "quiet fold", "aria-expanded": "false" });
  const show = (open) => {
    text.classList.toggle("folded", !open);
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? word("cases.fold") : word("cases.unfold", { n: text.textContent.length });
  };
  button.addEventListener("click", () => show(text.classList.contains("folded")));
  text.after(button);
  show(false);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
  }
});
