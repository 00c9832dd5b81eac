import type { DiskSummary } from "@plinth/plugin-disk-usage/api";

/** The status of a node. */
export interface NodeStatus {
  /** `undefined` if the node does not offer namespace `web3`. */
  readonly clientVersion: string | undefined;
  readonly chainId: bigint | undefined;
  readonly head: { readonly number: bigint; readonly hash: string; readonly timestamp: bigint };
  /** Age of the head in seconds. */
  readonly headAge: number;
  readonly health: { readonly status: string; readonly checks: readonly NodeCheck[] };
  /** `undefined` if the node does not offer namespace `plinth`. */
  readonly inside: NodeInside | undefined;
  /** What is known instead. */
  readonly outside?: NodeOutside;
}

/** Health of one part of a node. */
export interface NodeCheck {
  readonly plugin: string;
  readonly name: string;
  readonly status: string;
  readonly detail: string | undefined;
}

/** What only `plinth_status` reports. */
export interface NodeInside {
  readonly networkId: bigint;
  readonly genesisHash: string;
  readonly pending: number;
  /** Transactions that it failed to execute and does not retry by itself. */
  readonly setAside: readonly { readonly hash: string; readonly message: string }[];
  /** `undefined` for a node without P2P. */
  readonly peers: number | undefined;
  /** `undefined` for a node that is not syncing. */
  readonly sync: NodeSync | undefined;
  /** `undefined` if its data is in memory, or not measured yet. */
  readonly disk: DiskSummary | undefined;
  readonly plugins: readonly string[];
}

/** The sync progress of a node. */
export interface NodeSync {
  readonly syncing: boolean;
  readonly highest: bigint;
}

/** What `eth_` and `net_` report; `undefined` if the node does not offer it. */
export interface NodeOutside {
  readonly peers: number | undefined;
  readonly sync: NodeSync | undefined;
  /**
   * Maximum number of seconds between its last blocks; `undefined` if they are produced for
   * transactions only, or are too few.
   */
  readonly period: number | undefined;
}
