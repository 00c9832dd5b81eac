import { type Child, fill, h } from "../dom.js";
import { problem } from "./problem.js";

/** Shows what a promise resolves to once it is there, or why it is not. */
export function load(create: () => Promise<Child>, loading = "Loading…"): HTMLElement {
  const place = h("div", { class: "load", "aria-busy": "true" }, h("p", { class: "dim" }, loading));
  void show(place, create);
  return place;
}

/** Fills an element in the same way; it keeps its content until then. */
export async function show(place: HTMLElement, create: () => Promise<Child>): Promise<void> {
  try {
    fill(place, await create());
  } catch (error) {
    fill(place, problem(error));
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** A part that is loaded when the reader opens it. */
export function onDemand(title: string, create: () => Promise<Child>): HTMLElement {
  const place = h("div", {});
  let isLoaded = false;
  const details = h("details", { class: "part" }, h("summary", {}, title), place);
  details.addEventListener("toggle", () => {
    if (!details.open || isLoaded) return;
    isLoaded = true;
    fill(place, load(create));
  });
  return details;
}
