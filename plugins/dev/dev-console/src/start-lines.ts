import type { Runtime } from "@plinth/core";

/** The chain in a line: which one it is, its rules, where it is, and whether it goes on. */
export function describeChain({ chain, dataPath }: Pick<Runtime, "chain" | "dataPath">): string {
  const head = chain.blocks.head();
  const fork = chain.blocks.forkAt(head);
  const state = head.number === 0n ? "a new chain" : `continued at block ${head.number}`;
  return `Chain ${chain.chainId ?? 1n} · ${fork} · ${state} in ${dataPath}`;
}
