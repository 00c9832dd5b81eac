import { type Address, defineService } from "@plinth/core";

/** The position of a transaction on the canonical chain. */
export interface TransactionPosition {
  readonly number: bigint;
  readonly index: number;
}

/** The transaction that created a contract, and the account that executed the creation. */
export interface ContractCreation extends TransactionPosition {
  readonly creator: Address;
}

/** A range of blocks, inclusive, and the direction in which it is read. */
export interface PositionRange {
  readonly from: bigint;
  readonly to: bigint;
  /** Newest first. */
  readonly reverse?: boolean;
}

/** Which transactions an address takes part in. */
export interface AddressIndex {
  /** The first block that can be searched: later ones are all indexed; `undefined` if none is. */
  readonly firstBlock: bigint | undefined;
  /** The last block that can be searched; `undefined` if none is. */
  readonly lastBlock: bigint | undefined;
  /** Changes whenever earlier results may no longer match the chain. */
  readonly version: number;
  /** Resolves to whether every block up to the head is indexed, within a time limit. */
  waitForHead(limits: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<boolean>;
  /** The transactions of an address within the indexed part of a range; each is read when it is requested. */
  transactionsOf(address: Address, range: PositionRange): AsyncIterable<TransactionPosition>;
  /** The latest creation of a contract; `undefined` if none is indexed. */
  findCreation(contract: Address): Promise<ContractCreation | undefined>;
  /** The transaction of a sender with a nonce; `undefined` if none is indexed. */
  findByNonce(sender: Address, nonce: bigint): TransactionPosition | undefined;
}

/** The service of this plugin; not available unless `--address-index-enabled` is set. */
export const addressIndex = defineService<AddressIndex>("address-index.addresses", {
  hint: "@plinth/plugin-address-index",
});
