import { PlinthError } from "@plinth/core";
import type { Network } from "@plinth/plugin-cmd-genesis/api";

/** What flags say about a network, as far as they do. */
export interface AskedNetwork {
  readonly engine: string | undefined;
  readonly nodes: number | undefined;
  readonly period: number | undefined;
  readonly chainId: number | undefined;
  readonly basePort: number | undefined;
  /** Not asked for when false. */
  readonly privacy: boolean;
}

/** Throws when flags ask for another network than the one that a folder has. */
export function verifySame(folder: string, asked: AskedNetwork, found: Network): void {
  const validators = found.nodes.filter(({ isValidator }) => isValidator).length;
  const pairs = [
    ["--engine", asked.engine?.toLowerCase(), found.engine],
    ["--nodes", asked.nodes, validators],
    ["--period", asked.period, found.periodSeconds],
    ["--chain-id", asked.chainId, found.chainId],
    ["--privacy", asked.privacy || undefined, found.nodes[0]?.manager !== undefined],
    ["--base-port", asked.basePort || undefined, found.nodes[0]?.rpcPort],
  ] as const;
  const other = pairs.find(([, wanted, there]) => wanted !== undefined && wanted !== there);
  if (other === undefined) return;
  const [flag, wanted, there] = other;
  throw new PlinthError("NETWORK_DIFFERS", {
    message: `${folder} has another network: ${flag} is ${there} there, not ${wanted}; leave the flag out to run that network, or name another folder with --data-path`,
    path: folder,
  });
}
