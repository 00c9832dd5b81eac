import type { Header } from "../blocks/header.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address } from "../primitives/hex.js";
import type { ForkRules } from "./fork-rules.js";

/** What is found in a genesis file. */
export interface GenesisFinding {
  /** An error keeps the node from starting; a warning is logged at its start; a note is for those who ask. */
  readonly severity: "error" | "warning" | "note";
  /** Where it stands: `config.londonBlock`. */
  readonly key: string;
  readonly problem: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** An account of `alloc`, as far as checks ask about it. */
export interface AllocatedAccount {
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** A genesis file that can be read, as checks see it. */
export interface GenesisFacts {
  /** The file as it stands. */
  readonly genesis: object;
  /** `config` of it. */
  readonly config: object;
  /** Block 0, without the root of its state. */
  readonly header: Omit<Header, "stateRoot">;
  readonly forks: ForkRules;
  readonly chainId: bigint | undefined;
  /** How the base fee is found from London on. */
  readonly baseFee: "market" | "zero" | "fixed";
  /** Whether the time of block 0 is the one in the file. */
  readonly hasOwnTime: boolean;
  /** The keys of the engines that the file names. */
  readonly engineKeys: readonly string[];
  readonly accounts: ReadonlyMap<Address, AllocatedAccount>;
  readonly nowSeconds: bigint;
}

/** A rule for genesis files: facts in, findings out. */
export interface GenesisCheck {
  readonly name: string;
  check(facts: GenesisFacts): readonly GenesisFinding[];
}

/** Where plugins put rules for genesis files; those of an engine stand in its definition. */
export const genesisChecks = defineContributionPoint<GenesisCheck>("consensus.genesis-check", {
  summary: "What a genesis file is checked for at the start of a node and by commands.",
  key: { label: "rule for genesis files", of: ({ name }) => name },
});
