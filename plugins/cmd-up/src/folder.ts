import { realpath } from "node:fs/promises";
import { type GenesisTemplate, PlinthError } from "@plinth/core";
import { findNetwork, findTemplate, type Network } from "@plinth/plugin-cmd-genesis/api";

/** A folder with a network in it. */
export interface NetworkFolder {
  /** The one name that processes are found by, whichever link led here. */
  readonly path: string;
  readonly network: Network;
  readonly template: GenesisTemplate;
}

/** The network of a folder; throws when there is none. */
export async function openFolder(
  given: string,
  templates: readonly GenesisTemplate[],
): Promise<NetworkFolder> {
  const network = await findNetwork(given);
  if (network === undefined) {
    throw new PlinthError("NETWORK_FOLDER_WRONG", {
      message: `there is no network in ${given}; \`plinth --data-path=${given} up\` makes one`,
      path: given,
    });
  }
  const template = findTemplate(network.engine, templates);
  return { path: await realpath(given), network, template };
}
