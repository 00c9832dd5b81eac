/** The status of a node. */
export interface NodeStatus {
  /** `undefined` where the node does not offer namespace `web3`. */
  readonly clientVersion: string | undefined;
  readonly chainId: bigint | undefined;
  readonly head: { readonly number: bigint; readonly hash: string; readonly timestamp: bigint };
  /** Seconds since the time of the head. */
  readonly headAge: number;
  readonly health: { readonly status: string; readonly checks: readonly NodeCheck[] };
  /** `undefined` where the node does not offer namespace `plinth`. */
  readonly inside: NodeInside | undefined;
  /** What is known in its place. */
  readonly outside?: NodeOutside;
}

/** How one part of a node is. */
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
  /** Transactions that it failed to run and does not try again by itself. */
  readonly setAside: readonly { readonly hash: string; readonly message: string }[];
  /** `undefined` for a node without connections. */
  readonly peers: number | undefined;
  /** `undefined` for a node that does not synchronize. */
  readonly sync: NodeSync | undefined;
  readonly plugins: readonly string[];
}

/** How far a node is on its way to the head of the chain. */
export interface NodeSync {
  readonly syncing: boolean;
  readonly highest: bigint;
}

/** What `eth_` and `net_` report; `undefined` where the node does not offer it. */
export interface NodeOutside {
  readonly peers: number | undefined;
  readonly sync: NodeSync | undefined;
  /** The most seconds between its last blocks; `undefined` where they come for transactions alone, or are too few. */
  readonly period: number | undefined;
}
