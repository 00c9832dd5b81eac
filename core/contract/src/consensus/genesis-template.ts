import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address } from "../primitives/hex.js";

/** The genesis file of a new network with an engine, and how operators manage such a network. */
export interface GenesisTemplate {
  /** The key of the engine under `config`. */
  readonly engine: string;
  /** Its display name. */
  readonly title: string;
  /** The forks such a network may start with, by their keys under `config`. */
  readonly forks: Readonly<Record<string, number>>;
  /** The value of that key. */
  settings(wish: { readonly periodSeconds: number }): object;
  /** Members of the file besides `config`, `extraData` and `alloc`. */
  readonly members: Readonly<Record<string, string>>;
  /** The extra data of block 0 with these validators, in this order. */
  encodeExtraData(validators: readonly Address[]): Uint8Array;
  /** The JSON-RPC namespace of the engine. */
  readonly namespace: string;
  /**
   * The method that adds or removes a validator; its parameters are the address and whether to add
   * it.
   */
  readonly voteMethod: string;
  /** The number of failed validators that this many validators tolerate. */
  mayBeDown(validators: number): number;
  /** The round in which a block was decided; omitted by engines without rounds. */
  findRound?(extraData: Uint8Array): number;
}

/** The contribution point of genesis templates, for commands that create a network. */
export const genesisTemplates = defineContributionPoint<GenesisTemplate>(
  "consensus.genesis-template",
  {
    summary: "The genesis file of a new network with an engine.",
    key: { label: "genesis template", of: ({ engine }) => engine },
  },
);
