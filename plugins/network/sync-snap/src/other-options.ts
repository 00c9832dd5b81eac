import { type Address, ConfigError } from "@plinth/core";

/** What options of other plugins mean for joining by peers. */
export interface OtherOptions {
  /** The validators of the joined block, if a contract determines them. */
  readonly trustedValidators: readonly Address[] | undefined;
  /** Why this node synchronizes in full; `undefined` if nothing prevents joining. */
  readonly obstacle: string | undefined;
}

/** Reads options of other plugins; throws `ConfigError` if one of them chooses another source of the chain. */
export function readOtherOptions(mode: string, find: (key: string) => unknown): OtherOptions {
  const [snapshot, validators] = ["snapshot", "trustedValidators"].map((key) => listOf(find(key)));
  if (snapshot?.length) {
    throw new ConfigError("OPTION_INVALID", {
      message: `--snapshot and --sync-mode=${mode} are two ways to join a chain: leave one of them out`,
      option: "sync-mode",
    });
  }
  return {
    trustedValidators: validators?.length ? (validators as readonly Address[]) : undefined,
    obstacle:
      find("permissionsNodesContractEnabled") === true
        ? "--permissions-nodes-contract-enabled needs the state of the chain to allow peers"
        : undefined,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
