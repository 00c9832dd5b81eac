import { button, type Child, h } from "../dom.js";
import { saveCsv } from "./csv.js";

/** A column: texts are left, numbers right. */
export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** Columns by their titles; those of numbers end with `#`. */
export function columns(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title: title.replace(/#$/, ""), isNumber: title.endsWith("#") }));
}

/** A table that scrolls by itself on narrow screens, and can be saved as CSV. */
export function table(settings: {
  /** What it lists, for screen readers and as the name of the file. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Child[])[];
  readonly empty?: string;
}): HTMLElement {
  const { name, rows } = settings;
  if (rows.length === 0) return h("p", { class: "dim" }, settings.empty ?? "None.");
  const body = h("tbody", {}, ...rows.map((row) => createRow(row, settings.columns)));
  const head = h(
    "tr",
    {},
    ...settings.columns.map(({ title, isNumber }) =>
      h("th", { scope: "col", class: isNumber ? "number" : undefined }, title),
    ),
  );
  return h(
    "div",
    { class: "table" },
    h(
      "div",
      { class: "scroll", role: "region", "aria-label": name, tabindex: 0 },
      h("table", {}, h("caption", { class: "unseen" }, name), h("thead", {}, head), body),
    ),
    button("CSV", () => save(name, [head, ...body.children]), {
      class: "quiet csv",
      "aria-label": `Save as CSV: ${name}`,
    }),
  );
}

/** A row with cells in the order of the columns. */
export function createRow(row: readonly Child[], shape: readonly Column[]): HTMLElement {
  return h(
    "tr",
    {},
    ...row.map((cell, index) =>
      h("td", { class: shape[index]?.isNumber ? "number" : undefined }, cell),
    ),
  );
}

function save(name: string, rows: readonly Element[]): void {
  const texts = rows.map((row) => [...row.children].map(textOf));
  saveCsv(name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"), texts);
}

/** What a cell stands for: shortened hashes in full. */
function textOf(cell: Element): string {
  const full = [...cell.querySelectorAll("[data-full]")].map((each) =>
    String(each.getAttribute("data-full")),
  );
  return full.length > 0 ? full.join(" ") : (cell.textContent ?? "");
}

/** Names and values, one pair per line. */
export function facts(
  pairs: readonly (readonly [string, Child] | undefined | false)[],
): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...pairs.map((pair) =>
      pair ? h("div", {}, h("dt", {}, pair[0]), h("dd", {}, pair[1])) : undefined,
    ),
  );
}

/** A section with a heading, which is also its name for screen readers. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return h("section", { "aria-label": title }, h("h2", {}, title), ...children);
}
