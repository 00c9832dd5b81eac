import type { TransactionType } from "../../blocks/envelope.js";
import type { ProtocolPrecompile } from "./precompile.js";

/** An instruction, and what it costs whatever its operands are. */
export type Opcode = readonly [byte: number, inputs: number, outputs: number, gas: number];

/** How many blobs a block is meant to have and may have, and how fast their price follows. */
export interface BlobCounts {
  readonly target: bigint;
  readonly max: bigint;
  readonly updateFraction: bigint;
}

/** The prices of a net-metered write: of one that changes nothing, of the first, and what clearing gives back. */
export interface NetStorePrices {
  readonly noop: number;
  readonly reset: number;
  readonly clearRefund: number;
}

/** The rules that hold under a fork. */
export interface RuleSet {
  /** By their names. */
  readonly opcodes: Readonly<Record<string, Opcode>>;
  /** By their names. */
  readonly precompiles: Readonly<Record<string, ProtocolPrecompile>>;

  // Blocks.

  /** EIP-1559: blocks have a base fee, which is burnt. */
  readonly hasBaseFee: boolean;
  /** EIP-4399: DIFFICULTY is the random value of the block. */
  readonly hasRandom: boolean;
  /** EIP-4895. */
  readonly hasWithdrawals: boolean;
  /** EIP-4844: what blocks count blobs by, unless the genesis file says otherwise; `undefined` before blobs. */
  readonly blobs: BlobCounts | undefined;
  /** EIP-7918: a blob costs no less than the gas it would take to carry it. */
  readonly hasBlobReservePrice: boolean;
  /** EIP-4788: blocks name the root of the beacon chain, and a contract keeps it. */
  readonly keepsBeaconRoots: boolean;
  /** EIP-2935: a contract keeps the hashes of the latest blocks. */
  readonly keepsBlockHashes: boolean;
  /** EIP-7685: blocks hand requests to the consensus layer. */
  readonly hasRequests: boolean;
  /** EIP-7934. */
  readonly maxBlockBytes: number;
  /** EIP-658: receipts say whether a transaction succeeded, in place of the state root. */
  readonly hasReceiptStatus: boolean;

  // Transactions.

  readonly transactionTypes: readonly TransactionType[];
  /** EIP-155: a legacy transaction may name its chain. */
  readonly hasChainIds: boolean;
  /** EIP-2: of the two signatures of a message the one with the lower `s` counts. */
  readonly needsLowS: boolean;
  /** EIP-7825; `undefined` for any. */
  readonly maxTransactionGas: bigint | undefined;
  /** EIP-7594: the most blobs of a transaction. */
  readonly maxTransactionBlobs: number;
  /** EIP-7594: what the proofs beside a blob transaction are about. */
  readonly blobProofs: "blobs" | "cells";
  /** EIP-2: what a transaction that creates a contract costs more. */
  readonly creationGas: bigint;
  /** EIP-2028: what a byte of data costs that is not zero. */
  readonly dataByteGas: bigint;
  /** EIP-7623: what a token of data costs at least. */
  readonly floorTokenGas: bigint;
  /** EIP-3529: refunds are at most this part of the gas used. */
  readonly refundQuotient: bigint;
  /** EIP-3651: the account that fees go to is warm. */
  readonly warmsFeeRecipient: boolean;
  /** EIP-7702: accounts may let the code of another run. */
  readonly hasDelegations: boolean;

  // Accounts and code.

  /** EIP-161: empty accounts are as good as none, contracts begin with nonce 1. */
  readonly removesEmptyAccounts: boolean;
  /** EIP-170. */
  readonly maxCodeBytes: number;
  /** EIP-3860. */
  readonly maxInitCodeBytes: number;
  /** EIP-3860. */
  readonly initCodeWordGas: number;
  /** EIP-2: no contract is made when its code cannot be paid for; before, one without code. */
  readonly needsDepositGas: boolean;
  /** EIP-3541: no code begins with the byte 0xef. */
  readonly reservesEf: boolean;

  // Prices of instructions that depend on their operands.

  /** EIP-160. */
  readonly expByteGas: number;
  /** EIP-150: a call hands on at most 63/64 of what is left. */
  readonly keepsGas: boolean;
  /** EIP-2929: the first access to an account or a slot costs more than further ones. */
  readonly hasColdAccess: boolean;
  /** EIP-1283, EIP-2200, EIP-2929, EIP-3529; `undefined` where every write is paid for by itself. */
  readonly netStore: NetStorePrices | undefined;
  /** EIP-2200: SSTORE needs more than this left; zero for nothing. */
  readonly storeReserve: number;
  /** EIP-150: SELFDESTRUCT pays for an heir that is not there. */
  readonly selfdestructPaysHeir: boolean;
  /** EIP-3529 took it back. */
  readonly selfdestructRefund: number;
  /** EIP-6780: only a contract of the same transaction is removed. */
  readonly selfdestructKeepsCode: boolean;
}

/** What a fork changes; all else is as in the fork before it. */
export interface ForkRecord extends Partial<RuleSet> {
  /** Keys of a genesis file that begin it with a block. */
  readonly blockKeys?: readonly string[];
  /** Keys of a genesis file that begin it at a time. */
  readonly timeKeys?: readonly string[];
  /** Those it adds. */
  readonly opcodes?: RuleSet["opcodes"];
  /** Static gas of those that are there. */
  readonly opcodeGas?: Readonly<Record<string, number>>;
  /** Those it adds. */
  readonly precompiles?: RuleSet["precompiles"];
  /** The EIPs that price those that are there. */
  readonly precompilePrices?: Readonly<Record<string, number>>;
}
