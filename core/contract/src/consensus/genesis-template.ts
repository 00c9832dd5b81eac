import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address } from "../primitives/hex.js";

/** How the genesis file of a new network with an engine looks, and how operators handle such a network. */
export interface GenesisTemplate {
  /** The key of the engine under `config`. */
  readonly engine: string;
  /** What people call it. */
  readonly title: string;
  /** The forks that such a network may begin with, by their keys under `config`. */
  readonly forks: Readonly<Record<string, number>>;
  /** What stands under that key. */
  settings(wish: { readonly periodSeconds: number }): object;
  /** Members of the file beside `config`, `extraData` and `alloc`. */
  readonly members: Readonly<Record<string, string>>;
  /** The extra data of block 0 with these validators, in this order. */
  encodeExtraData(validators: readonly Address[]): Uint8Array;
  /** The JSON-RPC namespace of the engine. */
  readonly namespace: string;
  /** The method that adds a validator, or removes one; it takes the address and whether to add it. */
  readonly voteMethod: string;
  /** How many of so many validators may be down. */
  mayBeDown(validators: number): number;
  /** The round that a block was decided in; engines without rounds leave it out. */
  findRound?(extraData: Uint8Array): number;
}

/** Where engines put what commands need to make a network. */
export const genesisTemplates = defineContributionPoint<GenesisTemplate>(
  "consensus.genesis-template",
  {
    summary: "How the genesis file of a new network with an engine looks.",
    key: { label: "genesis template", of: ({ engine }) => engine },
  },
);
