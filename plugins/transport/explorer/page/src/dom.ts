import { visible } from "./text.js";

/** What an element contains; texts are shown as they are, and never parsed. */
export type Child = Node | string | number | bigint | undefined | null | false | readonly Child[];

/** Attributes of elements, and what happens on events. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Creates an element of a drawing. */
export function svg(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Adds children; texts become text nodes. */
export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else parent.appendChild(document.createTextNode(visible(String(child))));
  }
}

/** Replaces everything in an element. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** Replaces everything in an element; the focus stays on the link or button that is there again. */
export function refill(parent: Element, ...children: readonly Child[]): void {
  const focused = document.activeElement;
  const isInside = focused !== null && parent.contains(focused);
  const key = isInside ? keyOf(focused) : undefined;
  fill(parent, ...children);
  if (key === undefined) return;
  const again = [...parent.querySelectorAll<HTMLElement>("a, button, [tabindex]")];
  again.find((each) => keyOf(each) === key)?.focus({ preventScroll: true });
}

function keyOf(element: Element): string {
  const { tagName, textContent } = element;
  return [
    tagName,
    element.getAttribute("href"),
    element.getAttribute("aria-label"),
    textContent,
  ].join(" ");
}

/** An address within this page. */
export function link(path: string, ...children: readonly Child[]): HTMLAnchorElement {
  return h("a", { href: `#/${path}` }, ...children);
}

/** A button that does something on this page. */
export function button(
  label: string,
  run: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h("button", { type: "button", ...attributes, onclick: run }, label);
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "href") setTarget(element, String(value));
    else element.setAttribute(name, value === true ? "" : visible(String(value)));
  }
}

/** Links lead to places of this page only. */
function setTarget(element: Element, target: string): void {
  if (!target.startsWith("#"))
    throw new Error(`a link to ${target}, expected one that begins with #`);
  element.setAttribute("href", target);
}
