import { readPaper, sectionOf } from "./papers.js";

/** Every error code in the JSON-RPC specification. */
export function readDocumentedCodes(): ReadonlySet<number> {
  const text = sectionOf(readPaper("json-rpc.md"), "## 2. Errors");
  const codes = text.match(/(?<![\w-])-\d{5}\b/g) ?? [];
  // A revert, a receipt that did not arrive in time, and a block before Amsterdam.
  return new Set([...codes.map(Number), 3, 4, 4445]);
}
