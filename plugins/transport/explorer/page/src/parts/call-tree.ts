import { decodeInput } from "../abi/book.js";
import { type Child, h } from "../dom.js";
import { formatEther, formatNumber, toBig, toNumber } from "../format.js";
import { describeRevert } from "../revert.js";
import type { Trace } from "../types.js";
import { addressLink, badge, hexText } from "./links.js";
import { decodedText } from "./values.js";

/** More calls than a reader can take in; the rest is counted. */
const MAX_CALLS = 1000;

/** The calls of a transaction as a tree, with gas, values and errors. */
export function callTree(traces: readonly Trace[]): HTMLElement {
  const shown = traces.slice(0, MAX_CALLS);
  const root = h("ul", { class: "calls" });
  const lists: HTMLElement[] = [root];
  for (const trace of shown) {
    const depth = trace.traceAddress.length;
    const list = lists[depth] ?? root;
    const inner = h("ul", {});
    list.append(h("li", {}, callLine(trace), inner));
    lists.length = depth + 1;
    lists[depth + 1] = inner;
  }
  const rest = traces.length - shown.length;
  return h(
    "div",
    { class: "tree" },
    root,
    rest > 0 && h("p", { class: "dim" }, `… ${formatNumber(rest)} more calls`),
  );
}

function callLine({ type, action, result, error, revertReason }: Trace): HTMLElement {
  const kind = action.callType ?? type;
  const value = toBig(action.value ?? action.balance);
  const input = action.input ?? "0x";
  const target = action.to ?? result?.address ?? action.refundAddress ?? null;
  const decoded = decodeInput(input);
  const isFailed = error !== undefined;
  return h(
    "details",
    {},
    h(
      "summary",
      {},
      badge(kind, isFailed ? "bad" : "plain"),
      " ",
      addressLink(target),
      ".",
      h("strong", {}, callName(type, input, decoded?.entry.name)),
      value > 0n && h("span", { class: "value" }, ` ${formatEther(value)}`),
      result?.gasUsed !== undefined &&
        h("span", { class: "dim" }, ` ${formatNumber(toNumber(result.gasUsed))} gas`),
      isFailed && h("span", { class: "error" }, ` ${error}`),
    ),
    h(
      "div",
      { class: "call" },
      h("p", {}, "From ", addressLink(action.from ?? action.address ?? null, true)),
      action.gas !== undefined && h("p", {}, `Gas limit ${formatNumber(toNumber(action.gas))}`),
      decoded === undefined ? inputText(input) : decodedText(decoded),
      result?.output !== undefined &&
        result.output !== "0x" &&
        h("p", {}, "Returns ", hexText(result.output, 66, 8)),
      revertReason !== undefined && h("p", {}, "Reverts: ", describeRevert(revertReason)),
    ),
  );
}

function callName(type: string, input: string, name: string | undefined): string {
  if (type === "create") return "constructor";
  if (type === "suicide") return "self-destruct";
  if (name !== undefined) return name;
  return input.length >= 10 ? input.slice(0, 10) : "receive";
}

function inputText(input: string): Child {
  return input === "0x" ? undefined : h("p", {}, "Input ", hexText(input, 66, 8));
}
