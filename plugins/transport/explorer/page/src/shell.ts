import { fill, h, link } from "./dom.js";
import { formatNumber, toNumber } from "./format.js";
import type { LiveHeads, LiveState } from "./live.js";
import { findPage, NothingFound } from "./search.js";
import { findToken } from "./session.js";

const PAGES = [
  ["", "Overview"],
  ["blocks", "Blocks"],
  ["pool", "Pool"],
  ["network", "Network"],
  ["doctor", "Doctor"],
  ["files", "ABIs"],
] as const;

const THEME = "plinth-theme";

/** What surrounds every view; returns where views are shown. */
export function createShell(live: LiveHeads): HTMLElement {
  applyTheme(localStorage.getItem(THEME));
  const main = h("main", { id: "main", tabindex: -1 });
  const skip = h("a", { class: "skip", href: "#main" }, "Skip to the content");
  skip.addEventListener("click", (event) => {
    // The address names the view.
    event.preventDefault();
    main.focus();
  });
  document.body.prepend(
    skip,
    h(
      "header",
      {},
      h(
        "div",
        { class: "bar" },
        h("a", { class: "brand", href: "#/" }, "Plinth"),
        createSearch(),
        createState(live),
        createTools(),
      ),
      h("nav", { "aria-label": "Pages" }, ...PAGES.map(([path, title]) => link(path, title))),
    ),
    main,
    h("footer", {}, createFooter()),
  );
  return main;
}

/** Adds a page to the navigation, before the last one. */
export function addPage(path: string, title: string): void {
  const anchor = link(path, title);
  if (location.hash === `#/${path}`) anchor.setAttribute("aria-current", "page");
  document.querySelector("nav a:last-child")?.before(anchor);
}

function createSearch(): HTMLElement {
  const input = h("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Block, hash, address, or address and nonce",
    "aria-label": "Search a block, a transaction or an address",
    "aria-describedby": "search-result",
    maxlength: 200,
  });
  const result = h("p", { id: "search-result", class: "found", role: "status" });
  const form = h("form", { role: "search" }, input, h("button", {}, "Search"), result);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fill(result);
    findPage(input.value).then(
      (page) => {
        input.value = "";
        input.blur();
        location.hash = `#/${page}`;
      },
      (error: unknown) => {
        if (!(error instanceof NothingFound)) throw error;
        fill(result, error.message);
      },
    );
  });
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
  return form;
}

const STATES: Readonly<Record<LiveState, string>> = {
  live: "live",
  polling: "polling",
  unreachable: "the node does not respond",
};

function createState(live: LiveHeads): HTMLElement {
  const head = h("a", { class: "head", href: "#/block/latest" }, "…");
  const state = h("span", { class: "state", role: "status" });
  live.onHead(({ number }) => fill(head, `#${formatNumber(toNumber(number))}`));
  live.onState((name) => {
    fill(state, STATES[name]);
    state.dataset.state = name;
  });
  return h("p", { class: "live" }, head, state);
}

function createTools(): HTMLElement {
  const theme = h("button", { type: "button", class: "quiet" }, "Light / dark");
  theme.addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const shown = document.documentElement.dataset.theme ?? system;
    const next = shown === "dark" ? "light" : "dark";
    localStorage.setItem(THEME, next);
    applyTheme(next);
  });
  const login = link("login", "Log in");
  const update = () => fill(login, findToken() === undefined ? "Log in" : "Session");
  window.addEventListener("hashchange", update);
  update();
  return h("p", { class: "tools" }, login, theme);
}

function applyTheme(theme: string | null): void {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

function createFooter(): HTMLElement {
  return h(
    "p",
    {},
    "Press / to search. Everything on this page comes from the node that serves it.",
  );
}
