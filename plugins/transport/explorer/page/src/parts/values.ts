import type { Decoded } from "../abi/book.js";
import type { Value } from "../abi/decode.js";
import { type Child, h } from "../dom.js";
import { addressLink } from "./links.js";

/** Decoded values: one line each, those in lists and tuples below them. */
export function valueList(values: readonly Value[]): Child {
  if (values.length === 0) return h("span", { class: "dim" }, "no values");
  return h("ul", { class: "values" }, ...values.map((value) => h("li", {}, ...valueLine(value))));
}

/** A signature with the names of its parameters, and the values. */
export function decodedText({ entry, values }: Decoded): Child {
  return [
    h(
      "p",
      { class: "signature" },
      h("strong", {}, entry.name),
      h("code", {}, entry.signature.slice(entry.name.length)),
    ),
    valueList(values),
  ];
}

/** One value without its name. */
export function valueText({ type, text, items }: Value): Child {
  if (items !== undefined) return valueList(items);
  if (type === "address") return addressLink(text, true);
  return h("bdi", { class: type === "string" ? "said" : "mono" }, text ?? "");
}

function valueLine(value: Value): readonly Child[] {
  return [
    h("span", { class: "name" }, value.name === "" ? "·" : h("bdi", {}, value.name)),
    " ",
    h("span", { class: "type" }, value.type),
    " ",
    valueText(value),
  ];
}
