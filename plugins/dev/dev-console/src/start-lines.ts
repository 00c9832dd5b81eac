import type { Runtime } from "@plinth/core";

/**
 * The chain in one line: its id, its rules, its head, and whether it continues, with how to start
 * over.
 */
export function describeChain({ chain, dataPath }: Pick<Runtime, "chain" | "dataPath">): string {
  const head = chain.blocks.head();
  const fork = chain.blocks.forkAt(head);
  const isNew = head.number === 0n;
  const state = isNew ? "a new chain" : `continued at block ${head.number}`;
  const hint = isNew ? "" : " · --fresh starts over";
  return `Chain ${chain.chainId ?? 1n} · ${fork} · ${state} in ${dataPath}${hint}`;
}
