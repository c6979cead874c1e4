// Whom to ask: services by their address, recorded answers, several systems in one run, one question to try.

import { call, element, post, tell, word } from "./page.js";

const several = document.getElementById("several");
const tried = document.getElementById("tried");
const answers = document.getElementById("answers");
let page = null;

const chosen = () => page.form.querySelector('input[name="system"]:checked');

function entered() {
  const { kind, url, model, chat_id: chat, key, key_env: variable, system_name: name } = page.form.elements;
  const address = url.value.trim();
  let host = "";
  try {
    // Two services of one machine are two systems; their ends tell them apart.
    const { host: machine, pathname } = new URL(address);
    host = `${machine}${pathname.replace(/\/+$/, "")}`.replace(/[^A-Za-z0-9.-]/g, "-").slice(-48).replace(/^\W+/, "");
  } catch {
    host = "endpoint";
  }
  return {
    name: name.value.trim() || `${kind.value} ${host}`, kind: kind.value, url: address,
    model: kind.value === "chat" ? model.value.trim() : "", chat_id: kind.value === "ragflow" ? chat.value.trim() : "",
    key: key.value, key_env: key.value ? "" : variable.value.trim(),
  };
}

function offer(found) {
  const known = [...page.form.querySelectorAll('input[name="system"]')].find((one) => one.value === found.name);
  if (known) return known;
  const input = element("input", { type: "radio", name: "system", value: found.name, "data-kind": found.kind });
  const label = element("label", { class: "choice" }, input, element("span", { class: "choice-name" }, found.name), element("span", { class: "choice-more" }, element("code", {}, found.system)));
  document.getElementById("systems").prepend(label);
  return input;
}

// The name of the system that is chosen; one that is being entered is told to the server first.
async function named() {
  const input = chosen();
  if (!input) return "";
  if (input.dataset.kind !== "endpoint") return input.value;
  const { ok, body } = await post("/api/v1/systems", entered());
  if (!ok) {
    tell(page.problem, body.error?.message ?? "…");
    return "";
  }
  const known = offer(body);
  known.checked = true;
  page.form.elements.key.value = "";
  page.system();
  return body.name;
}

export async function asked() {
  const name = await named();
  if (!name) return [];
  const more = [...several.querySelectorAll("[data-system]")].map((one) => one.dataset.system);
  return [...new Set([...more, name])];
}

async function also() {
  tell(page.problem, "");
  const name = await named();
  if (!name || [...several.children].some((one) => one.dataset.system === name)) return;
  const remove = element("button", { type: "button", class: "quiet", "aria-label": word("start.without", { name }) }, "×");
  const chip = element("li", { class: "tag", "data-system": name }, name, " ", remove);
  remove.addEventListener("click", () => chip.remove());
  several.append(chip);
}

async function tryOne(event) {
  tell(page.problem, "");
  tried.replaceChildren(element("p", { class: "hint" }, word("start.trying")));
  event.target.disabled = true;
  const name = await named();
  const dataset = page.form.querySelector('input[name="dataset"]:checked')?.value;
  if (name && dataset) {
    const { ok, body } = await post("/api/v1/ping", { system: name, dataset });
    tried.replaceChildren(...(ok ? reply(body) : [element("p", { class: "problem" }, body.error?.message ?? "…")]));
  } else tried.replaceChildren();
  event.target.disabled = false;
}

function reply(one) {
  const facts = [`${one.ms} ms`, one.contexts ? word("start.tried.contexts", { n: one.contexts }) : ""].filter(Boolean).join(" · ");
  return [
    element("p", { class: "hint" }, one.question),
    element("p", { class: one.problem ? "problem" : "prose" }, one.problem || one.answer || word("cases.empty")),
    element("p", { class: "hint" }, facts),
  ];
}

async function recorded() {
  const file = answers.files[0];
  if (!file) return;
  tell(page.problem, "");
  const path = `/api/v1/answers/${encodeURIComponent(file.name)}`;
  const { ok, body } = await call(path, { method: "PUT", body: file, headers: { "Content-Type": "application/octet-stream" } });
  answers.value = "";
  if (!ok) {
    tell(page.problem, body.error?.message ?? "…");
    return;
  }
  offer(body).checked = true;
  page.system();
}

export function systemsReady(start) {
  page = start;
  document.getElementById("try").addEventListener("click", tryOne);
  document.getElementById("also").addEventListener("click", also);
  answers.addEventListener("change", recorded);
}
