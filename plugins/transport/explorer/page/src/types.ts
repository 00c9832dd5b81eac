/** A block as `eth_getBlockBy…` returns it; `T` is a hash or a transaction. */
export interface Block<T = string> {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly miner: string;
  readonly gasUsed: string;
  readonly gasLimit: string;
  readonly baseFeePerGas?: string;
  readonly difficulty: string;
  readonly extraData: string;
  readonly size: string;
  readonly stateRoot: string;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
  readonly nonce: string;
  readonly transactions: readonly T[];
  readonly uncles?: readonly string[];
  readonly withdrawals?: readonly unknown[];
}

/** A transaction, mined or pending. */
export interface Transaction {
  readonly hash: string;
  readonly blockHash?: string | null;
  readonly blockNumber?: string | null;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly gas: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly input: string;
  readonly nonce: string;
  readonly transactionIndex?: string | null;
  readonly type?: string;
  readonly accessList?: readonly unknown[];
  readonly blobVersionedHashes?: readonly string[];
  readonly authorizationList?: readonly unknown[];
}

/** A log of a receipt. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly blockTimestamp?: string;
}

/** A receipt; `timestamp` in searches only. */
export interface Receipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly status?: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice?: string;
  readonly contractAddress?: string | null;
  readonly logs: readonly Log[];
  readonly revertReason?: string;
  readonly timestamp?: number;
  readonly from: string;
  readonly to: string | null;
}

/** A call of a transaction, as `trace_transaction` returns it. */
export interface Trace {
  readonly type: string;
  readonly action: {
    readonly callType?: string;
    readonly from?: string;
    readonly to?: string;
    readonly gas?: string;
    readonly input?: string;
    readonly init?: string;
    readonly value?: string;
    readonly address?: string;
    readonly refundAddress?: string;
    readonly balance?: string;
  };
  readonly result?: {
    readonly gasUsed?: string;
    readonly output?: string;
    readonly address?: string;
  } | null;
  readonly error?: string;
  readonly revertReason?: string;
  readonly traceAddress: readonly number[];
  readonly subtraces: number;
}

/** What `plinth_status` returns. */
export interface Status {
  readonly clientVersion: string;
  readonly chainId?: string;
  readonly networkId: string;
  readonly genesisHash: string;
  readonly head: { readonly number: string; readonly hash: string; readonly timestamp: string };
  readonly headAge: number;
  readonly pending: number;
  readonly setAside: readonly { readonly hash: string; readonly message: string }[];
  readonly peers?: number;
  readonly sync?: { readonly syncing: boolean; readonly highest: string };
  readonly disk?: {
    readonly totalBytes: number;
    readonly freeBytes: number;
    readonly bytesPerDay?: number;
    readonly daysLeft?: number;
  };
  readonly plugins: readonly string[];
  readonly health: {
    readonly status: string;
    readonly checks: readonly HealthCheck[];
  };
}

/** A check of a plugin. */
export interface HealthCheck {
  readonly plugin: string;
  readonly name: string;
  readonly status: string;
  readonly detail?: string;
}
