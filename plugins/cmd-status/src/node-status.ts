/** The status of a node. */
export interface NodeStatus {
  readonly clientVersion: string;
  readonly chainId: bigint | undefined;
  readonly head: { readonly number: bigint; readonly hash: string; readonly timestamp: bigint };
  /** Seconds since the time of the head. */
  readonly headAge: number;
  readonly health: { readonly status: string; readonly checks: readonly NodeCheck[] };
  /** `undefined` where the node does not offer namespace `plinth`. */
  readonly inside: NodeInside | undefined;
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
  readonly sync: { readonly syncing: boolean; readonly highest: bigint } | undefined;
  readonly plugins: readonly string[];
}
