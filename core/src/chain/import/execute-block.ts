import { type Block, receiptsRoot } from "../../blocks/block.js";
import type { Header } from "../../blocks/header.js";
import { bloomOfLogs, type Receipt } from "../../blocks/receipt.js";
import type { Transaction } from "../../blocks/transaction.js";
import type { Withdrawal } from "../../blocks/withdrawals.js";
import type { BlockContext, Evm, EvmResult, RunGround } from "../../evm/evm.js";
import { isAtLeast } from "../../evm/fork.js";
import type { Tracer } from "../../evm/tracer.js";
import type { WorldState } from "../../evm/world-state.js";
import { InvariantError, messageOf, StorageError } from "../../kernel/errors.js";
import { type Bloom, createBloom, mergeIntoBloom } from "../../primitives/bloom.js";
import { type Hash, toHex } from "../../primitives/hex.js";
import { maxBlobGas } from "../blob-fee.js";
import { InvalidBlock } from "../errors.js";
import type { ForkSchedule } from "../forks.js";
import type { StateUpdate } from "../state/state-root.js";
import type { StateStore } from "../state/state-store.js";
import type { JournaledState } from "../state/world-state.js";
import { verifyTransaction } from "../verify-transaction.js";
import { blobGasOf } from "./blob-gas.js";
import { drainDao } from "./drain-dao.js";
import { collectRequests, type Request, requestsHash } from "./requests.js";
import { callSystem, keepHistory } from "./system-calls.js";
import { applyWithdrawals } from "./withdraw.js";

/** What running a block left behind. */
export interface Execution {
  readonly receipts: readonly Receipt[];
  /** How each transaction ended. */
  readonly results: readonly EvmResult[];
  readonly receiptsRoot: Hash;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly logsBloom: Bloom;
  /** EIP-7685; none before Prague. */
  readonly requests: readonly Request[];
  readonly requestsHash: Hash | undefined;
  readonly state: StateUpdate;
}

/** What a block runs on. */
export interface ExecutionGround {
  readonly evm: Evm;
  readonly states: StateStore;
  /** The state after the parent; it is changed. */
  readonly state: JournaledState;
  readonly block: BlockContext;
  readonly forks: ForkSchedule;
}

/**
 * A block that is being executed: `begin`, each transaction, `end`, and then what the engine does.
 *
 * Roots are made once, by `finish`.
 */
export class BlockExecution {
  readonly #ground: ExecutionGround;
  readonly #receipts: Receipt[] = [];
  readonly #results: EvmResult[] = [];
  readonly #logsBloom = createBloom();
  readonly #maxBlobGas: bigint;
  #gasUsed = 0n;
  #blobGasUsed = 0n;
  #requests: readonly Request[] | undefined;

  constructor(ground: ExecutionGround) {
    this.#ground = ground;
    this.#maxBlobGas = maxBlobGas(ground.forks.blobsAt(ground.block));
  }

  /** The gas that is left for further transactions. */
  get gasLeft(): bigint {
    return this.#ground.block.gasLimit - this.#gasUsed;
  }

  /** Whether a transaction would fit into what is left of the block. */
  hasRoomFor(transaction: Transaction): boolean {
    return (
      transaction.gasLimit <= this.gasLeft &&
      this.#blobGasUsed + blobGasOf(transaction) <= this.#maxBlobGas
    );
  }

  /** Changes the state as the protocol wants it before the first transaction. */
  async begin(header: Pick<Header, "parentHash" | "parentBeaconBlockRoot">): Promise<void> {
    const { block, forks, state } = this.#ground;
    if (forks.firstBlockOf("dao") === block.number) drainDao(state);
    await keepHistory(this.#ground, header);
  }

  /** Runs the next transaction; throws `InvalidBlock`, and then the state is as before. */
  async run(transaction: Transaction, tracer?: Tracer): Promise<EvmResult> {
    const { evm, states, state, block } = this.#ground;
    const index = this.#receipts.length;
    if (!this.hasRoomFor(transaction)) {
      throw new InvalidBlock("gas-limit", `transaction ${index} does not fit into the block`);
    }
    const on = { block, state, ...(tracer && { tracer }) };
    const result = await runTransaction(evm, transaction, index, on);
    this.#gasUsed += result.gasUsed;
    this.#blobGasUsed += blobGasOf(transaction);
    const logsBloom = bloomOfLogs(result.logs);
    mergeIntoBloom(this.#logsBloom, logsBloom);
    this.#results.push(result);
    this.#receipts.push({
      type: transaction.type,
      // EIP-658: receipts had the state root, and say since then whether a transaction succeeded.
      ...(isAtLeast(block.fork, "byzantium")
        ? { status: result.outcome === "success" ? 1 : 0 }
        : { postState: states.update(state).root }),
      cumulativeGasUsed: this.#gasUsed,
      gasUsed: result.gasUsed,
      logsBloom,
      logs: result.logs,
    });
    return result;
  }

  /** Changes the state as the protocol wants it after the last transaction: withdrawals, requests. */
  async end(withdrawals: readonly Withdrawal[]): Promise<void> {
    const { block, forks, state } = this.#ground;
    applyWithdrawals(state, withdrawals);
    if (!isAtLeast(block.fork, "prague")) return;
    const logs = this.#receipts.flatMap((receipt) => receipt.logs);
    this.#requests = await collectRequests(forks.rules.contracts, logs, (call) =>
      callSystem(this.#ground, call),
    );
  }

  /** What the header must say. */
  finish(): Execution {
    const { states, state } = this.#ground;
    return {
      receipts: this.#receipts,
      results: this.#results,
      receiptsRoot: receiptsRoot(this.#receipts),
      gasUsed: this.#gasUsed,
      blobGasUsed: this.#blobGasUsed,
      logsBloom: this.#logsBloom,
      requests: this.#requests ?? [],
      requestsHash: this.#requests && requestsHash(this.#requests),
      state: states.update(state),
    };
  }
}

/** Runs a block, then what the engine does at its end. */
export async function executeBlock(
  ground: ExecutionGround,
  { header, body }: Block,
  finalize: (state: WorldState) => void,
): Promise<Execution> {
  const execution = new BlockExecution(ground);
  await execution.begin(header);
  for (const transaction of body.transactions) await execution.run(transaction);
  await execution.end(body.withdrawals ?? []);
  finalize(ground.state);
  return execution.finish();
}

/** Throws unless execution led to what the header says. */
export function verifyExecution(header: Header, execution: Execution): void {
  const { number } = header;
  const verify = (rule: string, found: unknown, said: unknown) => {
    if (found === said) return;
    throw new InvalidBlock(rule, `block ${number}: ${rule} is ${said}, execution gives ${found}`);
  };
  verify("gas-used", execution.gasUsed, header.gasUsed);
  // Whether a header must have these two is a rule of its engine: those of BFT chains do without.
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
  evm: Evm,
  transaction: Transaction,
  index: number,
  on: RunGround,
): Promise<EvmResult> {
  try {
    verifyTransaction(transaction, on.block);
    const { raw, sender, isUnsigned } = transaction;
    return await evm.runTransaction({ raw, sender, isUnsigned }, on);
  } catch (error) {
    // A fault of the node's own, or of whoever looks on, says nothing about the block.
    const isOurs = error instanceof StorageError || error instanceof InvariantError;
    if (isOurs || on.tracer !== undefined) throw error;
    throw new InvalidBlock(
      "transaction",
      `transaction ${index} cannot run: ${messageOf(error)}`,
      error,
    );
  }
}
