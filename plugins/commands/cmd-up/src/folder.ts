import { realpath } from "node:fs/promises";
import { PlinthError } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";
import { findNetwork, findTemplate, type Network } from "@plinth/plugin-cmd-genesis/api";

const LOOPBACK = "127.0.0.1";

/** A folder with a network in it. */
export interface NetworkFolder {
  /** The canonical path, by which processes are found. */
  readonly path: string;
  readonly network: Network;
  readonly template: GenesisTemplate;
}

/** The network of a folder; throws if there is none. */
export async function openFolder(
  given: string,
  templates: readonly GenesisTemplate[],
): Promise<NetworkFolder> {
  const network = await findNetwork(given);
  if (network === undefined) {
    throw new PlinthError("NETWORK_FOLDER_WRONG", {
      message: `there is no network in ${given}; \`plinth --data-path=${given} up\` creates one`,
      path: given,
    });
  }
  verifyLocal(given, network);
  const template = findTemplate(network.engine, templates);
  return { path: await realpath(given), network, template };
}

/** Throws if the nodes of a network belong to other machines. */
export function verifyLocal(folder: string, { nodes }: Network): void {
  const elsewhere = nodes.find(({ enode }) => new URL(enode).hostname !== LOOPBACK);
  if (elsewhere === undefined) return;
  const { hostname } = new URL(elsewhere.enode);
  throw new PlinthError("NETWORK_FOLDER_WRONG", {
    message: `the nodes in ${folder} are for separate machines (${elsewhere.name} for ${hostname}): README.md describes what to copy where`,
    path: folder,
  });
}
