import type { Header } from "../blocks/header.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address } from "../primitives/hex.js";
import type { ForkRules } from "./fork-rules.js";

/** A finding about a genesis file. */
export interface GenesisFinding {
  /**
   * An error keeps the node from starting; a warning is logged at startup; a note is shown on
   * request.
   */
  readonly severity: "error" | "warning" | "note";
  /** Its path: `config.londonBlock`. */
  readonly key: string;
  readonly problem: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** An account of `alloc`, limited to the fields that checks use. */
export interface AllocatedAccount {
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** The accounts of `alloc`, which may be too many to be kept in memory. */
export interface AllocatedAccounts {
  get(address: Address): AllocatedAccount | undefined;
  /** Whether any of them has a balance. */
  readonly hasFunds: boolean;
}

/** A readable genesis file, as checks receive it. */
export interface GenesisFacts {
  /** The file, unmodified; without `alloc` if its accounts are not kept in memory. */
  readonly genesis: object;
  /** Its `config` object. */
  readonly config: object;
  /** Block 0, without its state root. */
  readonly header: Omit<Header, "stateRoot">;
  readonly forks: ForkRules;
  readonly chainId: bigint | undefined;
  /** How the base fee is computed from London on. */
  readonly baseFee: "market" | "zero" | "fixed";
  /** Whether the timestamp of block 0 is the one in the file. */
  readonly hasOwnTime: boolean;
  /** The keys of the engines in the file. */
  readonly engineKeys: readonly string[];
  readonly accounts: AllocatedAccounts;
  readonly nowSeconds: bigint;
}

/** A rule for genesis files: facts in, findings out. */
export interface GenesisCheck {
  readonly name: string;
  check(facts: GenesisFacts): readonly GenesisFinding[];
}

/**
 * The contribution point of rules for genesis files; the rules of an engine are part of its
 * definition.
 */
export const genesisChecks = defineContributionPoint<GenesisCheck>("consensus.genesis-check", {
  summary: "Checks of a genesis file, at startup and by commands.",
  key: { label: "rule for genesis files", of: ({ name }) => name },
});
