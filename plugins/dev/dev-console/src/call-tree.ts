import { shortAddress } from "./abi/decode.js";
import { type CallNode, type CallTracer, targetOf } from "./call-tracer.js";
import { grouped } from "./grouped.js";
import type { Names } from "./names.js";
import { describeFailure } from "./outcomes.js";
import { shortData } from "./short-data.js";

/** The output of a trace: the call tree, or the console output of contracts. */
export function formatTrace(
  { root, consoleLines, isCut }: CallTracer,
  { names, showsTree }: { readonly names: Names; readonly showsTree: boolean },
): readonly string[] {
  const lines =
    showsTree && root !== undefined
      ? formatTree(root, names)
      : consoleLines.map((line) => `console.log: ${line}`);
  return isCut && lines.length > 0 ? [...lines, "… the rest is not shown"] : lines;
}

/** The calls of a transaction as a tree, one line each. */
function formatTree(root: CallNode, names: Names): readonly string[] {
  return [formatNode(root, names), ...formatInner(root, names, "")];
}

function formatInner({ inner }: CallNode, names: Names, indent: string): readonly string[] {
  return inner.flatMap((child, index) => {
    const isLast = index === inner.length - 1;
    const branch = `${indent}${isLast ? "└─ " : "├─ "}`;
    if (typeof child === "string") return [`${branch}console.log: ${child}`];
    const below = `${indent}${isLast ? "   " : "│  "}`;
    return [`${branch}${formatNode(child, names)}`, ...formatInner(child, names, below)];
  });
}

function formatNode(node: CallNode, names: Names): string {
  const { frame, end } = node;
  const gas = end === undefined ? "" : `[${grouped(end.gasUsed)}] `;
  const value = frame.value > 0n ? ` {value: ${frame.value}}` : "";
  return `${gas}${describeCall(node, names)}${value}${describeEnd(node, names)}`;
}

function describeCall(node: CallNode, names: Names): string {
  const { kind, input, isPrecompile } = node.frame;
  const target = targetOf(node);
  const place = target === undefined ? "?" : (names.contractAt(target) ?? shortAddress(target));
  if (kind === "create" || kind === "create2") {
    return `${kind} ${names.contractOf(input) ?? place}`;
  }
  const call = isPrecompile ? "precompile" : (names.describeCall(input) ?? nameless(input));
  return `${kind === "call" ? "" : `${kind} `}${place}.${call}`;
}

function describeEnd({ frame, end }: CallNode, names: Names): string {
  if (end === undefined) return "";
  if (end.outcome !== "success") {
    const result = { ...end, returnValue: end.output, logs: [] };
    return ` ← ${describeFailure(result, (data) => names.describeError(data))}`;
  }
  const isCreation = frame.kind === "create" || frame.kind === "create2";
  if (isCreation) return ` → ${end.createdAddress ?? ""}`;
  return end.output.length === 0 ? "" : ` → ${shortData(end.output)}`;
}

function nameless(input: Uint8Array): string {
  return input.length === 0 ? "receive()" : shortData(input);
}
