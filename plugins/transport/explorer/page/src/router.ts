import type { View, ViewContext } from "./context.js";
import { fill, h } from "./dom.js";
import type { LiveHeads } from "./live.js";
import { problem } from "./parts/problem.js";

/** Creates a view for a path. */
export type CreateView = (context: ViewContext) => View | Promise<View>;

/** Shows the view that the address names, and again when it changes. */
export class Router {
  readonly #views: ReadonlyMap<string, CreateView>;
  readonly #main: HTMLElement;
  readonly #live: LiveHeads;
  #shown = new AbortController();
  #isFirst = true;

  constructor(
    views: Readonly<Record<string, CreateView>>,
    { main, live }: { readonly main: HTMLElement; readonly live: LiveHeads },
  ) {
    this.#views = new Map(Object.entries(views));
    this.#main = main;
    this.#live = live;
  }

  start(): void {
    window.addEventListener("hashchange", () => void this.show());
    void this.show();
  }

  async show(): Promise<void> {
    this.#shown.abort();
    this.#shown = new AbortController();
    const { signal } = this.#shown;
    const { name, path, query } = readAddress(location.hash);
    const create = this.#views.get(name) ?? unknownView;
    const context: ViewContext = {
      ...{ path, query, signal, live: this.#live },
      onHead: (callback) => this.#live.onHead(callback, signal),
      reload: () => {
        if (!signal.aborted) void this.show();
      },
    };
    const focused = document.activeElement;
    this.#main.setAttribute("aria-busy", "true");
    const view = await createSafely(create, context);
    if (signal.aborted) return;
    document.title = `${view.title} · Plinth explorer`;
    const heading = h("h1", { tabindex: -1 }, view.title);
    fill(this.#main, heading, ...view.content);
    this.#main.removeAttribute("aria-busy");
    markCurrent(name);
    // Screen readers continue at the new content; the first view leaves the focus where it is, and so
    // does one whose reader has moved on to another field.
    const isElsewhere =
      document.activeElement !== focused && document.activeElement !== document.body;
    if (!this.#isFirst && !isElsewhere) heading.focus({ preventScroll: true });
    if (!this.#isFirst) window.scrollTo(0, 0);
    this.#isFirst = false;
  }
}

/** `#/block/5?page=2` → its parts. */
export function readAddress(hash: string): {
  readonly name: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
} {
  const [place = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", ...path] = place.split("/").map(decodePart);
  return { name, path, query: new URLSearchParams(query) };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function createSafely(create: CreateView, context: ViewContext): Promise<View> {
  try {
    return await create(context);
  } catch (error) {
    return { title: "This page cannot be shown", content: [problem(error)] };
  }
}

function unknownView(): View {
  return {
    title: "There is no such page",
    content: [h("p", {}, "Use the search or one of the links above.")],
  };
}

function markCurrent(name: string): void {
  for (const anchor of document.querySelectorAll("nav a")) {
    const isCurrent = anchor.getAttribute("href") === `#/${name}`;
    if (isCurrent) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
}
