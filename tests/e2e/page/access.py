"""Looks a page over for people who see little, hear it read out, or use the keyboard only."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

Open = Callable[..., Page]
"""Opens an address in a new tab."""

CHECK = r"""
() => {
  const found = [];
  const note = (rule, node, more = "") => {
    const words = (node.innerText || node.value || node.getAttribute("aria-label") || "").trim().slice(0, 40);
    found.push(`${rule}: <${node.tagName.toLowerCase()} class="${node.getAttribute("class") || ""}"> ${words} ${more}`);
  };
  const seen = (node) => {
    if (!node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = node.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && !node.closest(".unseen");
  };
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const behind = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    const base = matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0, 1] : [255, 255, 255, 1];
    return layers.reverse().reduce((under, top) => over(top, under), base);
  };
  const light = (colour) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.slice(0, 3).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

  // contrast of every piece of writing
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const done = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || done.has(node) || node.closest("script, noscript, option")) continue;
    done.add(node);
    if (!seen(node) || node.closest("label")?.querySelector(":disabled") || node.closest(":disabled")) continue;
    const style = getComputedStyle(node);
    const ground = behind(node);
    const ink = node.closest("svg") ? rgba(style.fill) : rgba(style.color);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const got = ratio(over(ink, ground), ground);
    if (got < (large ? 3 : 4.5)) note("contrast", node, got.toFixed(2));
  }

  // names of everything that can be operated, labels of everything that can be filled in
  const name = (node) => {
    const ids = (node.getAttribute("aria-labelledby") || "").split(" ");
    const labelled = ids.map((id) => document.getElementById(id)?.textContent || "").join(" ");
    const labels = [...(node.labels || [])].map((label) => label.textContent).join(" ");
    const names = [node.getAttribute("aria-label"), labelled, labels, node.textContent, node.title];
    return names.map((one) => (one || "").trim()).find(Boolean);
  };
  for (const node of document.querySelectorAll("a[href], button, summary, [role=group], nav, progress, [role=img]")) {
    if (!name(node)) note("no name", node);
  }
  for (const node of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const labelled = [...(node.labels || [])].some((label) => label.textContent.trim());
    if (!labelled && !node.getAttribute("aria-label")) note("no label", node);
  }
  for (const node of document.querySelectorAll("img")) if (!node.hasAttribute("alt")) note("no alt", node);
  for (const node of document.querySelectorAll("svg")) {
    if (!node.closest("[aria-hidden=true]") && node.getAttribute("role") !== "img") note("svg without a role", node);
  }

  // structure
  if (!document.documentElement.lang) found.push("no language");
  if (!document.title.trim()) found.push("no title");
  if (document.querySelectorAll("main").length !== 1) found.push("not one main");
  if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
  let level = 0;
  for (const node of document.querySelectorAll("h1, h2, h3, h4")) {
    const now = Number(node.tagName[1]);
    if (now > level + 1) note("heading skips a level", node);
    level = now;
  }
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) found.push(`id twice: ${id}`);
  for (const node of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    const named = ["aria-labelledby", "aria-describedby"].map((one) => node.getAttribute(one) || "").join(" ");
    for (const id of named.trim().split(/\s+/)) {
      if (!document.getElementById(id)) note(`points at nothing: ${id}`, node);
    }
  }
  for (const node of document.querySelectorAll("[tabindex]")) if (node.tabIndex > 0) note("positive tabindex", node);
  for (const node of document.querySelectorAll("table")) {
    if (!node.querySelector("th[scope]") && node.querySelector("thead")) note("table without scopes", node);
  }
  for (const node of document.querySelectorAll("*")) {
    const style = getComputedStyle(node);
    const scrolls = ["auto", "scroll"].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1;
    const reached = node.tabIndex >= 0 || node.querySelector("a, button, input, select");
    if (scrolls && !reached) note("scrolls, but not by keyboard", node);
  }

  // what a finger has to hit
  for (const node of document.querySelectorAll("button, .button, input[type=checkbox], input[type=radio], select")) {
    const box = (node.closest("label") || node).getBoundingClientRect();
    if (seen(node) && (box.height < 17 || box.width < 17)) note("too small", node, `${box.width}x${box.height}`);
  }
  return found;
}
"""

FOCUS = r"""
() => {
  const at = document.activeElement;
  const box = at.getBoundingClientRect();
  const shown = (at.closest("label.choice, .drop") || at);
  return {
    tag: at.tagName,
    top: Math.round(box.top + scrollY),
    outline: [at, shown].some((node) => getComputedStyle(node).outlineStyle !== "none"),
    where: at.closest("header") ? 0 : at.closest("main") ? 1 : 2,
  };
}
"""


def faults(page: Page) -> list[str]:
    """List what is wrong with a page."""
    found: list[str] = page.evaluate(CHECK)
    return found


def walk_by_keyboard(page: Page, steps: int) -> list[dict[str, Any]]:
    """Press Tab and tell where each step leads."""
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    places = []
    for _ in range(steps):
        page.keyboard.press("Tab")
        places.append(page.evaluate(FOCUS))
    return places
