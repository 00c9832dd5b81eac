import { defineContributionPoint } from "../kernel/contributions.js";

/** A network that operators call by its name, without a genesis file of their own. */
export interface NamedNetwork {
  /** In lower case; operators write it as they like. */
  readonly name: string;
  /** What peers compare; it may differ from the chain id. */
  readonly networkId: bigint;
  /** The JSON of its genesis file; asked for when the network is named. */
  readGenesis(): object;
}

/** Where plugins put the networks they know; `--network` names one of them. */
export const namedNetworks = defineContributionPoint<NamedNetwork>("chain.network", {
  summary: "Networks that have a name, with their genesis files.",
  key: { label: "network", of: ({ name }) => name },
});
