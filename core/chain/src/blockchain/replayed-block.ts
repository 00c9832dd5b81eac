import type { Block, Receipt, Transaction } from "@plinth/core";
import type { BlockReplay, ReplayResult } from "@plinth/core/chain";
import type { BlockContext, EvmResult, Tracer } from "@plinth/core/evm";
import { BlockExecution, type ExecutionContext } from "../import/execute-block.js";
import type { JournaledState } from "../state/world-state.js";

/** Replays a block with a borrowed EVM. */
export class ReplayedBlock implements BlockReplay {
  readonly block: Block;
  readonly state: JournaledState;
  readonly context: BlockContext;
  readonly #execution: BlockExecution;
  readonly #engine: ExecutionContext["engine"];
  readonly #done: () => void;
  #next = 0;

  private constructor(block: Block, execution: ExecutionContext, done: () => void) {
    this.state = execution.state;
    this.context = execution.block;
    this.block = block;
    this.#execution = new BlockExecution(execution);
    this.#engine = execution.engine;
    this.#done = done;
  }

  /** Opens a block on the state of its parent, before its first transaction. */
  static async open(
    block: Block,
    execution: ExecutionContext,
    done: () => void,
  ): Promise<ReplayedBlock> {
    const replay = new ReplayedBlock(block, execution, done);
    await replay.#execution.begin(block.header);
    return replay;
  }

  /** Number of executed transactions. */
  get position(): number {
    return this.#next;
  }

  /** The next transaction; `undefined` after the last. */
  get transaction(): Transaction | undefined {
    return this.block.body.transactions[this.#next];
  }

  /** The receipts of the executed transactions. */
  get receipts(): readonly Receipt[] {
    return this.#execution.receipts;
  }

  /** Runs the next transaction. */
  async run(tracer?: Tracer): Promise<EvmResult> {
    const { transaction } = this;
    if (transaction === undefined) {
      throw new RangeError(`block ${this.block.header.number} has no transaction ${this.#next}`);
    }
    const result = await this.#execution.run(transaction, tracer && { tracer });
    this.#next += 1;
    return result;
  }

  /** Runs transactions until this many have run. */
  async runTo(count: number): Promise<void> {
    const { length } = this.block.body.transactions;
    if (!Number.isInteger(count) || count < this.#next || count > length) {
      throw new RangeError(
        `block ${this.block.header.number} has ${length} transactions; there is no state after ${count} of them`,
      );
    }
    while (this.#next < count) await this.run();
  }

  /** Runs the rest of the block with what follows its last transaction. */
  async finish(): Promise<ReplayResult> {
    const { body } = this.block;
    const { state } = this;
    await this.runTo(body.transactions.length);
    await this.#execution.end(body.withdrawals ?? []);
    this.#engine.finalize?.({ block: this.block, fork: this.context.fork, state });
    return this.#execution.outcome();
  }

  [Symbol.dispose](): void {
    this.#done();
  }
}
