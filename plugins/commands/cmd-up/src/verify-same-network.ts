import { PlinthError } from "@plinth/core";
import type { Network } from "@plinth/plugin-cmd-genesis/api";

/** The settings of a network given by flags. */
export interface AskedNetwork {
  readonly engine: string | undefined;
  readonly nodes: number | undefined;
  readonly period: number | undefined;
  readonly chainId: number | undefined;
  readonly basePort: number | undefined;
  /** Not requested if false. */
  readonly privacy: boolean;
}

/** Throws if flags request another network than the one in a folder. */
export function verifySameNetwork(folder: string, asked: AskedNetwork, found: Network): void {
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
    message: `${folder} has another network: ${flag} is ${there} there, not ${wanted}; remove the flag to run that network, or name another folder with --data-path`,
    path: folder,
  });
}
