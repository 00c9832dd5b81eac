import { button, h, link } from "../dom.js";
import { formatDuration, formatNumber, formatTime, toNumber } from "../format.js";
import { shorten } from "../text.js";

const names = new Map<string, string>();

/** Gives an address a name that is shown instead of it. */
export function nameAddress(address: string, name: string): void {
  names.set(address.toLowerCase(), name);
}

/** An address, shortened, as a link to its page. */
export function addressLink(address: string | null | undefined, isFull = false): Node {
  if (!address) return h("span", { class: "dim" }, "none");
  if (!isHash(address, 40)) return h("span", {}, address);
  const name = names.get(address.toLowerCase());
  const text = isFull ? address : shorten(address, 8, 6);
  const anchor = link(`address/${address}`, name === undefined || isFull ? text : name);
  mark(anchor, address);
  return anchor;
}

/** A transaction hash, shortened, as a link to its page. */
export function transactionLink(hash: string): Node {
  return isHash(hash, 64)
    ? mark(link(`tx/${hash}`, shorten(hash, 10, 6)), hash)
    : h("span", {}, hash);
}

/** A block number as a link to its page. */
export function blockLink(number: unknown): Node {
  const value = toNumber(number);
  return mark(link(`block/${value}`, formatNumber(value)), String(value));
}

/** A token by its symbol, as a link to its page. */
export function tokenLink(address: string, symbol: string | undefined): Node {
  const text = symbol === undefined || symbol === "" ? shorten(address, 8, 6) : symbol;
  const anchor = link(`token/${address}`, h("bdi", {}, shorten(text, 24, 4)));
  return mark(anchor, address);
}

/** A privacy group by its id, as a link to its page. */
export function groupLink(id: string): Node {
  return mark(link(`group/${encodeURIComponent(id)}`, shorten(id, 16, 4)), id);
}

/** Hex that is long: the beginning and the end, in full for a pointer and for CSV. */
export function hexText(hex: string, head = 10, tail = 6): Node {
  return mark(h("code", {}, shorten(hex, head, tail)), hex);
}

/** How long ago a time was; it counts on. */
export function age(seconds: number): HTMLElement {
  const element = h("time", {
    title: formatTime(seconds),
    "data-full": formatTime(seconds),
    "data-time": seconds,
  });
  updateAge(element);
  return element;
}

/** Brings all ages on the page up to date. */
export function updateAges(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-time]")) updateAge(element);
}

function updateAge(element: HTMLElement): void {
  const seconds = Math.round(Date.now() / 1000 - Number(element.dataset.time));
  element.textContent = `${formatDuration(seconds)} ago`;
}

/** A button that copies a text. */
export function copyButton(text: string, label = "Copy"): HTMLElement {
  const created = button(
    label,
    () => {
      void navigator.clipboard.writeText(text).then(() => {
        created.textContent = "Copied";
        setTimeout(() => {
          created.textContent = label;
        }, 1500);
      });
    },
    { class: "quiet copy" },
  );
  return created;
}

/** A mark such as `success`, in its color and in words. */
export function badge(
  text: string,
  tone: "good" | "bad" | "wait" | "plain" = "plain",
): HTMLElement {
  return h("span", { class: `badge ${tone}` }, text);
}

function isHash(text: string, digits: number): boolean {
  return new RegExp(`^0x[0-9a-f]{${digits}}$`, "i").test(text);
}

function mark<T extends Element>(element: T, full: string): T {
  element.setAttribute("title", full);
  element.setAttribute("data-full", full);
  return element;
}
