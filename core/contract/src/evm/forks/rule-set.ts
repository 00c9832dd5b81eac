import type { TransactionType } from "../../blocks/envelope.js";
import type { ProtocolPrecompile } from "./precompile.js";

/** An instruction and its static gas cost. */
export type Opcode = readonly [byte: number, inputs: number, outputs: number, gas: number];

/** Target and maximum number of blobs per block, and how fast their price adapts. */
export interface BlobCounts {
  readonly target: bigint;
  readonly max: bigint;
  readonly updateFraction: bigint;
}

/**
 * Net-metered storage prices: of a no-op write, of the first write, and the refund for clearing.
 */
export interface NetStorePrices {
  readonly noop: number;
  readonly reset: number;
  readonly clearRefund: number;
}

/** The rules under a fork. */
export interface RuleSet {
  /** By their names. */
  readonly opcodes: Readonly<Record<string, Opcode>>;
  /** By their names. */
  readonly precompiles: Readonly<Record<string, ProtocolPrecompile>>;

  // Blocks.

  /** EIP-1559: blocks have a base fee, which is burned. */
  readonly hasBaseFee: boolean;
  /** EIP-4399: DIFFICULTY is the random value of the block. */
  readonly hasRandom: boolean;
  /** EIP-4895. */
  readonly hasWithdrawals: boolean;
  /**
   * EIP-4844: the blob schedule, unless the genesis file overrides it; `undefined` before blobs.
   */
  readonly blobs: BlobCounts | undefined;
  /** EIP-7918: minimum blob price, bounded by execution costs. */
  readonly hasBlobReservePrice: boolean;
  /** EIP-4788: blocks contain the parent beacon block root, and a contract stores it. */
  readonly keepsBeaconRoots: boolean;
  /** EIP-2935: a contract stores the hashes of recent blocks. */
  readonly keepsBlockHashes: boolean;
  /** EIP-7685: blocks pass requests to the consensus layer. */
  readonly hasRequests: boolean;
  /** EIP-7934. */
  readonly maxBlockBytes: number;
  /** EIP-658: receipts contain the status instead of the state root. */
  readonly hasReceiptStatus: boolean;

  // Transactions.

  readonly transactionTypes: readonly TransactionType[];
  /** EIP-155: a legacy transaction may contain its chain id. */
  readonly hasChainIds: boolean;
  /** EIP-2: of the two signatures of a message only the one with the lower `s` is valid. */
  readonly needsLowS: boolean;
  /** EIP-7825; `undefined` for no limit. */
  readonly maxTransactionGas: bigint | undefined;
  /** EIP-7594: maximum number of blobs per transaction. */
  readonly maxTransactionBlobs: number;
  /** EIP-7594: what the proofs of a blob transaction cover. */
  readonly blobProofs: "blobs" | "cells";
  /** EIP-2: surcharge for a contract creation. */
  readonly creationGas: bigint;
  /** EIP-2028: gas per non-zero byte of calldata. */
  readonly dataByteGas: bigint;
  /** EIP-7623: floor price per calldata token. */
  readonly floorTokenGas: bigint;
  /** EIP-3529: refunds are at most this fraction of the gas used. */
  readonly refundQuotient: bigint;
  /** EIP-3651: the coinbase is warm. */
  readonly warmsFeeRecipient: boolean;
  /** EIP-7702: accounts may delegate to the code of another. */
  readonly hasDelegations: boolean;

  // Accounts and code.

  /** EIP-161: empty accounts do not exist, contracts start with nonce 1. */
  readonly removesEmptyAccounts: boolean;
  /** EIP-170. */
  readonly maxCodeBytes: number;
  /** EIP-3860. */
  readonly maxInitCodeBytes: number;
  /** EIP-3860. */
  readonly initCodeWordGas: number;
  /**
   * EIP-2: a contract whose code cannot be paid for is not created; before, it was created without
   * code.
   */
  readonly needsDepositGas: boolean;
  /** EIP-3541: new code must not start with 0xef. */
  readonly reservesEf: boolean;

  // Dynamic gas prices of instructions.

  /** EIP-160. */
  readonly expByteGas: number;
  /** EIP-150: a call forwards at most 63/64 of the remaining gas. */
  readonly keepsGas: boolean;
  /** EIP-2929: the first access to an account or a slot costs more than later ones. */
  readonly hasColdAccess: boolean;
  /** EIP-1283, EIP-2200, EIP-2929, EIP-3529; `undefined` without net metering. */
  readonly netStore: NetStorePrices | undefined;
  /** EIP-2200: SSTORE requires more than this remaining gas; zero for no minimum. */
  readonly storeReserve: number;
  /** EIP-150: SELFDESTRUCT pays for a beneficiary that does not exist. */
  readonly selfdestructPaysHeir: boolean;
  /** Removed by EIP-3529. */
  readonly selfdestructRefund: number;
  /** EIP-6780: only a contract created in the same transaction is removed. */
  readonly selfdestructKeepsCode: boolean;
}

/** The changes of a fork relative to the one before it. */
export interface ForkRecord extends Partial<RuleSet> {
  /** Genesis keys that activate it at a block. */
  readonly blockKeys?: readonly string[];
  /** Genesis keys that activate it at a time. */
  readonly timeKeys?: readonly string[];
  /** The instructions it adds. */
  readonly opcodes?: RuleSet["opcodes"];
  /** New static gas of existing instructions. */
  readonly opcodeGas?: Readonly<Record<string, number>>;
  /** The precompiles it adds. */
  readonly precompiles?: RuleSet["precompiles"];
  /** The EIPs that reprice existing precompiles. */
  readonly precompilePrices?: Readonly<Record<string, number>>;
}
