import type {
  AccessListEntry,
  Authorization,
  TransactionFields,
} from "../blocks/transaction-fields.js";
import { defineDriverPoint } from "../kernel/drivers.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { Fork } from "./fork.js";
import type { EvmOutcome } from "./outcome.js";
import type { Tracer } from "./tracer.js";
import type { WorldState } from "./world-state.js";

/** What code can find out about the block it runs in. */
export interface BlockContext {
  readonly fork: Fork;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly difficulty: bigint;
  /** From the merge on, and on BFT chains from Shanghai on, the random value. */
  readonly mixHash: Hash;
  /** Where fees go, which the engine decides. */
  readonly feeRecipient: Address;
  readonly baseFeePerGas?: bigint;
  /** From Cancun on: what a unit of blob gas costs. */
  readonly blobBaseFee?: bigint;
  /** Most bytes of a new contract's code, where the chain has another limit than its fork; the same in every block. */
  readonly maxCodeBytes?: number;
  /** The hash of one of the 256 blocks before; zero for any other. */
  hashOf(number: bigint): Hash;
}

/** Something that code left for the world outside. */
export interface EvmLog {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** What a run left behind, beside the changed state. */
export interface EvmResult {
  readonly outcome: EvmOutcome;
  /** Why it was broken off: a name such as INSUFFICIENT_GAS. */
  readonly halt?: string;
  /** What to know about that, for people: the instruction that this fork does not have. */
  readonly haltDetail?: string;
  readonly gasUsed: bigint;
  /** What it needed on its way, before gas was given back at the end; of a message. */
  readonly gasBeforeRefund?: bigint;
  readonly returnValue: Uint8Array;
  readonly logs: readonly EvmLog[];
  /** The logs with one for every transfer of value between them, where that was asked for. */
  readonly logsWithTransfers?: readonly (EvmLog & { readonly index: number })[];
  /** How many there were of both, with those that were taken back; `index` counts them. */
  readonly logsTraced?: number;
  /** What it touched beside its sender, its target and precompiles, where that was asked for. */
  readonly accessList?: readonly AccessListEntry[];
  /** Of a contract that was created. */
  readonly createdAddress?: Address;
}

/** An unsigned transaction: a simulated call. */
export interface Message {
  readonly from: Address;
  /** A contract is created when left out. */
  readonly to?: Address;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gasLimit: bigint;
  /** The most it pays per gas; not below the block's base fee. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList?: readonly AccessListEntry[];
  /** Of blobs; then with the most it pays per blob gas. */
  readonly blobVersionedHashes?: readonly Hash[];
  readonly maxFeePerBlobGas?: bigint;
  readonly authorizationList?: readonly Authorization[];
}

/** What a message is watched for, and how the world differs for it. */
export interface MessageWatch {
  readonly recordsAccess?: boolean;
  readonly recordsTransfers?: boolean;
  /** Precompiles that are not where they were: from where to where, or nowhere. */
  readonly movedPrecompiles?: ReadonlyMap<Address, Address | undefined>;
}

/**
 * Runs the code of a message and nothing around it, as private transactions are run.
 *
 * All gas of the message is the code's, no account pays or earns, no nonce changes, accounts that are empty stay,
 * and contracts that destroy themselves lose their balance only. Sender and target are warm. `GASPRICE` is
 * the most that the message pays.
 */
export interface BareRun {
  /** The address of the contract that the message creates; where it has a `to`, of no use. */
  readonly contractAddress?: Address;
}

/** A call that the chain itself makes, before or after the transactions of a block. */
export interface SystemCall {
  readonly to: Address;
  readonly data: Uint8Array;
}

/** A signed transaction as an EVM takes it: it is decoded, and its sender is known. */
export interface EvmTransaction
  extends Omit<TransactionFields, "chainId" | "v" | "yParity" | "r" | "s"> {
  readonly sender: Address;
  /** It is unsigned, so that its sender may be a contract. */
  readonly isUnsigned?: boolean;
}

/** Where a transaction or message runs. */
export interface RunContext {
  readonly block: BlockContext;
  readonly state: WorldState;
  /** Hears how the code runs. */
  readonly tracer?: Tracer;
  /** A run that takes longer is broken off with `RunTooLong`; the limit of the chain holds as well. */
  readonly maxMs?: number;
  /** Lets others run every few milliseconds, where the driver can; time in which they do is not counted. */
  readonly yields?: boolean;
}

/** Runs code on a state. One run at a time; create several to run in parallel. */
export interface Evm {
  /**
   * Runs a transaction with all that belongs to it: nonce, fees, refunds, the fee recipient's share.
   *
   * The transaction is valid: the caller has verified it. Whatever is thrown is a fault of the node or a
   * limit of time, and the caller restores the state.
   */
  runTransaction(transaction: EvmTransaction, on: RunContext): Promise<EvmResult>;
  /**
   * Runs a message as if it were a transaction with its sender's next nonce, for any sender.
   *
   * The sender must have what it costs. The state is changed as by a transaction: hand in one to throw away.
   */
  runMessage(
    message: Message,
    on: RunContext & { readonly watch?: MessageWatch; readonly bare?: BareRun },
  ): Promise<EvmResult>;
  /**
   * Runs a contract in the name of the chain (EIP-4788): with gas of its own that no account pays.
   *
   * The caller's account is not touched. A call that fails changes nothing.
   */
  runSystemCall(
    call: SystemCall,
    on: { readonly block: BlockContext; readonly state: WorldState },
  ): Promise<EvmResult>;
}

/** What an EVM plugin contributes; one is chosen by `--evm`. */
export interface EvmDriver {
  /** The name the operator chooses it by. */
  readonly name: string;
  /** Throws where it cannot run the code of a chain; called when a node starts, before any EVM is made. */
  verify?(chain: Pick<EvmChain, "maxStackItems">): void;
  /** Makes an EVM for a chain. */
  create(chain: EvmChain): Promise<Evm>;
}

/** What an EVM must know about its chain. */
export interface EvmChain {
  readonly chainId: bigint;
  /** The precompiled contracts of the chain's own at a fork, beside those of the fork. */
  precompilesAt?(fork: Fork): Precompiles;
  /** Most items on the stack of a frame, 1,024 when left out; calls of the protocol always have 1,024. */
  readonly maxStackItems?: number;
  /** A run that takes longer is broken off with `RunTooLong`; none is when left out. */
  readonly maxRunMs?: number;
  /** Called all the time while code runs, in precompiles too: throws to break the run off. */
  readonly interrupt?: () => void;
}

/** Precompiled contracts by address. */
export type Precompiles = ReadonlyMap<Address, Precompile>;

/** A contract that is a function of the node; one that throws, or needs more gas than there is, has failed. */
export type Precompile = (input: { readonly data: Uint8Array; readonly gasLimit: bigint }) => {
  readonly gasUsed: bigint;
  readonly returnValue: Uint8Array;
};

/** Where EVM plugins put their drivers. */
export const evmDrivers = defineDriverPoint<EvmDriver>("evm.driver", {
  option: "evm",
  summary: "What runs the code of contracts.",
});

/** An EVM reserved for one user until it is returned. */
export interface LentEvm extends Disposable {
  readonly evm: Evm;
}
