import type { Block, ConsensusEngine, Header, Receipt, Transaction } from "@plinth/core";
import {
  type Hash,
  InvalidBlock,
  InvalidTransaction,
  messageOf,
  PlinthError,
  toHex,
  Yielder,
} from "@plinth/core";
import type { Withdrawal } from "@plinth/core/blocks";
import { bloomOfLogs, ExecutionFault, receiptsRoot } from "@plinth/core/blocks";
import { type MissingRun, StateMissing, StatePruned } from "@plinth/core/chain";
import type { BlockContext, Evm, EvmResult, RunContext, WorldState } from "@plinth/core/evm";
import { RunTooLarge, rulesOf } from "@plinth/core/evm";
import { activities } from "@plinth/core/kernel";
import { type Bloom, createBloom, mergeIntoBloom } from "@plinth/core/primitives";
import type { ForkSchedule } from "@plinth/core/rules";
import {
  maxBlobGas,
  maxTransactionGas,
  type TransactionRules,
  verifySender,
  verifyTransaction,
} from "@plinth/core/rules";
import type { StateUpdate } from "../state/state-root.js";
import type { StateStore } from "../state/state-store.js";
import type { JournaledState } from "../state/world-state.js";
import { blobGasOf } from "./blob-gas.js";
import { drainDao } from "./drain-dao.js";
import { collectRequests, type Request, requestsHash, verifyDeposits } from "./requests.js";
import { callSystem, keepHistory } from "./system-calls.js";
import { applyWithdrawals } from "./withdraw.js";

/** The result of executing a block. */
export interface Execution {
  readonly receipts: readonly Receipt[];
  /** The outcome of each transaction. */
  readonly results: readonly EvmResult[];
  readonly receiptsRoot: Hash;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly logsBloom: Bloom;
  /** EIP-7685; empty before Prague. */
  readonly requests: readonly Request[];
  readonly requestsHash: Hash | undefined;
  readonly state: StateUpdate;
}

/** The environment of a block. */
export interface ExecutionContext {
  readonly evm: Evm;
  readonly states: StateStore;
  /** The state after the parent; it is modified. */
  readonly state: JournaledState;
  readonly block: BlockContext;
  readonly forks: ForkSchedule;
  readonly engine: Pick<ConsensusEngine, "finalize" | "forkField" | "maxTransactionGas">;
}

/** `undefined` for a chain whose genesis file has none. */
const USUAL_CHAIN_ID = 1n;

/** The tracer of a transaction, and its time limit. */
export type RunWatch = Pick<RunContext, "tracer" | "maxMs" | "yields">;

/**
 * A block being executed: `begin`, each transaction, `end`, and then the engine's changes.
 *
 * Roots are computed once, by `finish`.
 */
export class BlockExecution {
  readonly #context: ExecutionContext;
  readonly #receipts: Receipt[] = [];
  readonly #results: EvmResult[] = [];
  readonly #logsBloom = createBloom();
  readonly #maxBlobGas: bigint;
  #gasUsed = 0n;
  #blobGasUsed = 0n;
  #requests: readonly Request[] | undefined;
  /** Whether the block is invalid without the contracts that collect requests. */
  #needsContracts = true;

  constructor(context: ExecutionContext) {
    this.#context = context;
    this.#maxBlobGas = maxBlobGas(context.forks.blobsAt(context.block));
  }

  /** The receipts of the executed transactions. */
  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  /** The remaining gas for transactions. */
  get gasLeft(): bigint {
    return this.#context.block.gasLimit - this.#gasUsed;
  }

  /** Whether a transaction fits into the rest of the block. */
  hasRoomFor(transaction: Transaction): boolean {
    return (
      transaction.gasLimit <= this.gasLeft &&
      this.#blobGasUsed + blobGasOf(transaction) <= this.#maxBlobGas
    );
  }

  /** Applies the protocol's state changes before the first transaction. */
  async begin(header: Header): Promise<void> {
    const { block, forks, state, engine } = this.#context;
    const requests = engine.forkField?.("requestsHash", header) ?? "required";
    this.#needsContracts = requests === "required";
    await this.#change(async () => {
      if (forks.firstBlockOf("dao") === block.number) drainDao(state);
      await keepHistory(this.#context, header);
    });
  }

  /**
   * Runs the next transaction; if it throws, the state is restored.
   *
   * Throws `InvalidBlock` if the transaction or its logs are not allowed in the block, `RunTooLong`
   * after `maxMs`, and `ExecutionFault` if the node could not run it.
   */
  async run(transaction: Transaction, watch: RunWatch = {}): Promise<EvmResult> {
    const index = this.#receipts.length;
    if (!this.hasRoomFor(transaction)) {
      throw new InvalidBlock("gas-limit", `transaction ${index} does not fit into the block`);
    }
    const { state, block, forks } = this.#context;
    const on = { block, state, ...watch };
    const runOnce = async () => {
      const result = await activities.track(
        () => `transaction ${transaction.hash} in block ${block.number}`,
        () => runTransaction(this.#context, transaction, index, on),
      );
      if (rulesOf(block.fork).hasRequests) verifyDeposits(forks.rules.contracts, result.logs);
      return { result, receipt: this.#createReceipt(transaction, result) };
    };
    const { result, receipt } = await this.#change(runOnce, { transaction, ...watch });
    this.#gasUsed = receipt.cumulativeGasUsed;
    this.#blobGasUsed += blobGasOf(transaction);
    mergeIntoBloom(this.#logsBloom, receipt.logsBloom);
    this.#results.push(result);
    this.#receipts.push(receipt);
    return result;
  }

  /** Reads the state; what is missing is fetched. Synchronous if nothing can be missing. */
  readState<T>(read: () => T): T | Promise<T> {
    const { states, state } = this.#context;
    return state.isPartial ? states.resolveMissing(read) : read();
  }

  /** Changes the state, or throws and leaves it as it is; what is missing is fetched. */
  #change<T>(
    work: () => Promise<T>,
    { transaction, tracer }: Pick<RunWatch, "tracer"> & { readonly transaction?: Transaction } = {},
  ): Promise<T> {
    const { states, state } = this.#context;
    if (!state.isPartial) return state.attempt(work);
    return states.resolveMissing(() =>
      // A tracer must not see guesses.
      state
        .attempt(() => (tracer === undefined ? state.findMissing(work) : work()))
        .catch((error: unknown) => {
          const isMissing = error instanceof StateMissing && transaction !== undefined;
          throw isMissing ? new StateMissing(error.values, messageIn(transaction)) : error;
        }),
    );
  }

  #createReceipt({ type }: Transaction, { outcome, gasUsed, logs }: EvmResult): Receipt {
    const { states, state, block } = this.#context;
    return {
      type,
      // EIP-658: receipts used to contain the state root, and contain the status since.
      ...(rulesOf(block.fork).hasReceiptStatus
        ? { status: outcome === "success" ? 1 : 0 }
        : { postState: states.update(state).root }),
      cumulativeGasUsed: this.#gasUsed + gasUsed,
      gasUsed,
      logsBloom: bloomOfLogs(logs),
      logs,
    };
  }

  /** Applies the protocol's state changes after the last transaction: withdrawals, requests. */
  async end(withdrawals: readonly Withdrawal[]): Promise<void> {
    const { block, forks, state } = this.#context;
    await this.#change(async () => {
      applyWithdrawals(state, withdrawals);
      if (!rulesOf(block.fork).hasRequests) return;
      const logs = this.#receipts.flatMap((receipt) => receipt.logs);
      this.#requests = await collectRequests({
        contracts: forks.rules.contracts,
        logs,
        call: (call) => callSystem(this.#context, call),
        needsContracts: this.#needsContracts,
      });
    });
  }

  /** Applies the engine's changes at the end. */
  async finalize(change: (state: WorldState) => void): Promise<void> {
    await this.#change(async () => change(this.#context.state));
  }

  /** The header fields that result from execution, and the new state. */
  async finish(): Promise<Execution> {
    return this.readState(() => this.#finish());
  }

  #finish(): Execution {
    const { states, state } = this.#context;
    return Object.assign(this.outcome(), { results: this.#results, state: states.update(state) });
  }

  /** The same without the state. */
  outcome(): Omit<Execution, "results" | "state"> {
    return {
      receipts: this.#receipts,
      receiptsRoot: receiptsRoot(this.#receipts),
      gasUsed: this.#gasUsed,
      blobGasUsed: this.#blobGasUsed,
      logsBloom: this.#logsBloom,
      requests: this.#requests ?? [],
      requestsHash: this.#requests && requestsHash(this.#requests),
    };
  }
}

/** Executes a block, then the engine's changes at its end. */
export async function executeBlock(
  context: ExecutionContext,
  { header, body }: Block,
  finalize: (state: WorldState) => void,
): Promise<Execution> {
  const execution = new BlockExecution(context);
  await execution.begin(header);
  using _tries = await prepareTries(context, header);
  const turns = new Yielder("chain");
  for (const transaction of body.transactions) {
    await execution.run(transaction, { yields: true });
    if (turns.isDue) await turns.yield();
  }
  await execution.end(body.withdrawals ?? []);
  await execution.finalize(finalize);
  return execution.finish();
}

/** Throws unless the result of execution matches the header. */
export function verifyExecution(header: Header, execution: Execution): void {
  const { number } = header;
  const verify = (rule: string, found: unknown, said: unknown) => {
    if (found === said) return;
    throw new InvalidBlock(rule, `block ${number}: ${rule} is ${said}, execution gives ${found}`);
  };
  verify("gas-used", execution.gasUsed, header.gasUsed);
  // Whether a header must have these two is a rule of its engine: those of BFT chains do not.
  if (header.blobGasUsed !== undefined) {
    verify("blob-gas-used", execution.blobGasUsed, header.blobGasUsed);
  }
  if (header.requestsHash !== undefined) {
    verify("requests-hash", execution.requestsHash, header.requestsHash);
  }
  verify("logs-bloom", toHex(execution.logsBloom), toHex(header.logsBloom));
  verify("receipts-root", execution.receiptsRoot, header.receiptsRoot);
  verify("state-root", execution.state.root, header.stateRoot);
}

async function runTransaction(
  { evm, forks, engine, block }: ExecutionContext,
  transaction: Transaction,
  index: number,
  on: RunContext,
): Promise<EvmResult> {
  const chainId = forks.rules.chainId ?? USUAL_CHAIN_ID;
  const maxGas = maxTransactionGas(engine, block, block.fork);
  verifyMayRun(transaction, on, { index, chainId, maxGas });
  try {
    return await evm.runTransaction(transaction, on);
  } catch (error) {
    // Typed errors pass through, and so do errors that a tracer threw to end the run.
    const isExplained = error instanceof PlinthError && !(error instanceof RunTooLarge);
    if (isExplained || on.tracer !== undefined) throw error;
    throw new ExecutionFault(
      `transaction ${transaction.hash} could not be executed: ${messageOf(error)}`,
      error,
    );
  }
}

/** What an origin may want to know of a transaction whose values are missing. */
function messageIn({ sender: from, to, data, value }: Transaction): MissingRun {
  return { from, to, data, value };
}

function verifyMayRun(
  transaction: Transaction,
  on: RunContext,
  rules: Pick<TransactionRules, "maxGas"> & { readonly index: number; readonly chainId: bigint },
): void {
  const { index, chainId, maxGas } = rules;
  try {
    verifyTransaction(transaction, { fork: on.block.fork, chainId, maxGas });
    verifySender(transaction, on);
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    const message = `transaction ${index} cannot run: ${error.message}`;
    throw new InvalidBlock("transaction", message, error);
  }
}

/** Makes the tries of a block off the canonical chain ready; the error says what an operator can do. */
async function prepareTries(
  { states, state }: ExecutionContext,
  { number }: Header,
): Promise<Disposable> {
  try {
    return await states.prepareTries(state, { lane: "chain" });
  } catch (error) {
    if (!(error instanceof StatePruned)) throw error;
    throw new StatePruned(
      `block ${number} cannot be executed: ${error.message}. To follow its chain, synchronize it again with another --data-path`,
    );
  }
}
