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

/** The block values visible to code. */
export interface BlockContext {
  readonly fork: Fork;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly difficulty: bigint;
  /** From the merge on, and on BFT chains from Shanghai on, the random value. */
  readonly mixHash: Hash;
  /** The fee recipient, decided by the engine. */
  readonly feeRecipient: Address;
  readonly baseFeePerGas?: bigint;
  /** From Cancun on: the price of a unit of blob gas. */
  readonly blobBaseFee?: bigint;
  /**
   * Maximum size of a new contract's code, if the chain overrides the limit of its fork; the same
   * in every block.
   */
  readonly maxCodeBytes?: number;
  /** The hash of one of the 256 preceding blocks; zero for any other. */
  hashOf(number: bigint): Hash;
}

/** A log emitted by code. */
export interface EvmLog {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** The result of a run, besides the state changes. */
export interface EvmResult {
  readonly outcome: EvmOutcome;
  /** Why it was aborted: a name such as INSUFFICIENT_GAS. */
  readonly halt?: string;
  /** Details for people: the instruction that this fork lacks. */
  readonly haltDetail?: string;
  readonly gasUsed: bigint;
  /** Peak gas of a message, before refunds. */
  readonly gasBeforeRefund?: bigint;
  readonly returnValue: Uint8Array;
  readonly logs: readonly EvmLog[];
  /** The logs, interleaved with one for every value transfer, if requested. */
  readonly logsWithTransfers?: readonly (EvmLog & { readonly index: number })[];
  /** Number of both, including reverted ones; `index` counts them. */
  readonly logsTraced?: number;
  /**
   * The accounts and slots accessed besides the sender, the target and precompiles, if requested.
   */
  readonly accessList?: readonly AccessListEntry[];
  /** The address of the created contract. */
  readonly createdAddress?: Address;
}

/** An unsigned transaction: a simulated call. */
export interface Message {
  readonly from: Address;
  /** Creates a contract if omitted. */
  readonly to?: Address;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gasLimit: bigint;
  /** Maximum price per gas; not below the block's base fee. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList?: readonly AccessListEntry[];
  /** Versioned blob hashes; requires the maximum price per blob gas. */
  readonly blobVersionedHashes?: readonly Hash[];
  readonly maxFeePerBlobGas?: bigint;
  readonly authorizationList?: readonly Authorization[];
}

/** What to record of a message, and how its environment differs. */
export interface MessageWatch {
  readonly recordsAccess?: boolean;
  readonly recordsTransfers?: boolean;
  /** Relocated precompiles: from where to where, or nowhere. */
  readonly movedPrecompiles?: ReadonlyMap<Address, Address | undefined>;
}

/**
 * Runs only the code of a message, as private transactions do.
 *
 * The code gets all gas of the message, no account pays or earns, no nonce changes, empty accounts
 * stay, and contracts that destroy themselves lose only their balance. Sender and target are warm.
 * `GASPRICE` is the maximum price of the message.
 */
export interface BareRun {
  /** The address of the contract that the message creates; unused if it has a `to`. */
  readonly contractAddress?: Address;
}

/** A system call of the protocol, before or after the transactions of a block. */
export interface SystemCall {
  readonly to: Address;
  readonly data: Uint8Array;
}

/** A signed transaction as input of an EVM: decoded, with its sender known. */
export interface EvmTransaction
  extends Omit<TransactionFields, "chainId" | "v" | "yParity" | "r" | "s"> {
  readonly sender: Address;
  /** It is unsigned, so that its sender may be a contract. */
  readonly isUnsigned?: boolean;
}

/** The environment of a transaction or message. */
export interface RunContext {
  readonly block: BlockContext;
  readonly state: WorldState;
  /** Receives the steps of the code. */
  readonly tracer?: Tracer;
  /** A longer run is aborted with `RunTooLong`; the limit of the chain applies as well. */
  readonly maxMs?: number;
  /**
   * Yields to the event loop every few milliseconds, if the driver supports it; time spent yielding
   * is not counted.
   */
  readonly yields?: boolean;
}

/** Runs code on a state. One run at a time; create several to run in parallel. */
export interface Evm {
  /**
   * Runs a complete transaction: nonce, fees, refunds, the fee recipient's share.
   *
   * The caller has verified that the transaction is valid. Any error is a fault of the node or a
   * time limit, and the caller restores the state.
   */
  runTransaction(transaction: EvmTransaction, on: RunContext): Promise<EvmResult>;
  /**
   * Runs a message as if it were a transaction with its sender's next nonce, for any sender.
   *
   * The sender must be able to pay for it. The state is changed as by a transaction: pass a
   * disposable one.
   */
  runMessage(
    message: Message,
    on: RunContext & { readonly watch?: MessageWatch; readonly bare?: BareRun },
  ): Promise<EvmResult>;
  /**
   * Runs a system call (EIP-4788): with its own gas, paid by no account.
   *
   * The caller's account is not touched. A failed call changes nothing.
   */
  runSystemCall(
    call: SystemCall,
    on: { readonly block: BlockContext; readonly state: WorldState },
  ): Promise<EvmResult>;
}

/** An EVM contributed by a plugin; one is selected with `--evm`. */
export interface EvmDriver {
  /** The name by which the operator selects it. */
  readonly name: string;
  /** Throws if it cannot run the code of a chain; called at startup, before any EVM is created. */
  verify?(chain: Pick<EvmChain, "maxStackItems">): void;
  /** Creates an EVM for a chain. */
  create(chain: EvmChain): Promise<Evm>;
}

/** The chain parameters of an EVM. */
export interface EvmChain {
  readonly chainId: bigint;
  /** The chain's own precompiles at a fork, besides those of the fork. */
  precompilesAt?(fork: Fork): Precompiles;
  /** Maximum stack depth of a frame, 1,024 by default; system calls always have 1,024. */
  readonly maxStackItems?: number;
  /** A longer run is aborted with `RunTooLong`; unlimited by default. */
  readonly maxRunMs?: number;
  /** Called continually while code runs, in precompiles too: throws to abort the run. */
  readonly interrupt?: () => void;
}

/** Precompiled contracts by address. */
export type Precompiles = ReadonlyMap<Address, Precompile>;

/** A contract implemented by the node; it fails if it throws or needs more gas than available. */
export type Precompile = (input: { readonly data: Uint8Array; readonly gasLimit: bigint }) => {
  readonly gasUsed: bigint;
  readonly returnValue: Uint8Array;
};

/** The contribution point of EVM drivers. */
export const evmDrivers = defineDriverPoint<EvmDriver>("evm.driver", {
  option: "evm",
  summary: "Executes the code of contracts.",
});

/** An EVM reserved for one user until it is returned. */
export interface LentEvm extends Disposable {
  readonly evm: Evm;
}
