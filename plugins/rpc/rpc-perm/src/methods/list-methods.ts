import { method, t } from "@plinth/core";
import { change, type ListKind, type PermCall, SUCCESS } from "./perm-call.js";

/** `perm_get…Allowlist`: all entries of a list. */
export function getList(kind: ListKind, example: string) {
  return method({
    summary: "Returns the list, in the order in which entries were added.",
    result: t.array(t.text),
    example: { params: [], result: [example] },
    handle: (_, call: PermCall) => kind.find(call).list(),
  });
}

/** `perm_add…ToAllowlist`: adds all entries, or none. */
export function addToList(kind: ListKind, example: string) {
  return method({
    summary: "Adds entries to the list and its file; all of them, or none.",
    params: { entries: t.withText(t.array(t.text), kind.invalidParams) },
    result: t.text,
    example: { params: [[example]], result: SUCCESS },
    handle: ({ entries }, call: PermCall) => change(() => kind.find(call).add(entries)),
  });
}

/** `perm_remove…FromAllowlist`: removes all entries, or none. */
export function removeFromList(kind: ListKind, example: string) {
  return method({
    summary: "Removes entries from the list and its file; all of them, or none.",
    params: { entries: t.withText(t.array(t.text), kind.invalidParams) },
    result: t.text,
    example: { params: [[example]], result: SUCCESS },
    handle: ({ entries }, call: PermCall) => change(() => kind.find(call).remove(entries)),
  });
}
