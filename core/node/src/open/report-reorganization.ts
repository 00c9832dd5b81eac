import type { HeadChanged, Logger } from "@plinth/core";

/**
 * Logs a reorganization that removed more blocks than the operator's limit; others at level debug.
 */
export function reportReorganization(
  { cause, head, added, removed }: HeadChanged,
  { threshold, log }: { readonly threshold: number; readonly log: Logger },
): void {
  if (cause !== "import" || removed.length === 0) return;
  const [first] = added;
  const ancestor = first === undefined ? "" : `, common ancestor ${first.header.parentHash}`;
  const line = `Chain Reorganization +${added.length} new / -${removed.length} old: head #${head.number} (${head.hash})${ancestor}`;
  if (removed.length > threshold) log.warn(line);
  else log.debug(line);
}
