import type { Runtime } from "@plinth/core";
import type { DevFork } from "@plinth/plugin-dev-fork/api";

/** The chain, and the block of another network at which it begins. */
interface DescribedChain extends Pick<Runtime, "chain" | "dataPath"> {
  readonly fork?: DevFork | undefined;
}

/**
 * The chain in one line: its id, its rules, its head, what it is a fork of, and whether it continues, with how to
 * start over.
 */
export function describeChain({ chain, dataPath, fork }: DescribedChain): string {
  const head = chain.blocks.head();
  const rules = chain.blocks.forkAt(head);
  const isNew = head.number === 0n;
  const state = isNew ? "a new chain" : `continued at block ${head.number}`;
  const hint = isNew ? "" : " · --fresh starts over";
  const source = fork && ` · a fork of ${fork.source} at block ${fork.block.number}`;
  return `Chain ${chain.chainId ?? 1n} · ${rules}${source ?? ""} · ${state} in ${dataPath}${hint}`;
}
