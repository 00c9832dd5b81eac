import { defineContributionPoint } from "../kernel/contributions.js";

/** A network that operators select by name, without their own genesis file. */
export interface NamedNetwork {
  /** In lower case; operators may use any case. */
  readonly name: string;
  /** Compared by peers; it may differ from the chain id. */
  readonly networkId: bigint;
  /** The JSON of its genesis file; loaded when the network is selected. */
  readGenesis(): object;
}

/** The contribution point of named networks; `--network` selects one. */
export const namedNetworks = defineContributionPoint<NamedNetwork>("chain.network", {
  summary: "Named networks with their genesis files.",
  key: { label: "network", of: ({ name }) => name },
});
