import { receiptsRoot } from "../../blocks/block.js";
import type { Header } from "../../blocks/header.js";
import { bloomOfLogs, type Receipt } from "../../blocks/receipt.js";
import type { Transaction } from "../../blocks/transaction.js";
import type { BlockContext, Evm, EvmResult } from "../../evm/evm.js";
import type { Fork } from "../../evm/fork.js";
import type { WorldState } from "../../evm/world-state.js";
import { messageOf } from "../../kernel/errors.js";
import { type Bloom, createBloom, mergeIntoBloom } from "../../primitives/bloom.js";
import { type Hash, toHex } from "../../primitives/hex.js";
import { InvalidBlock } from "../errors.js";
import type { StateUpdate } from "../state/state-root.js";
import type { StateStore } from "../state/state-store.js";
import type { JournaledState } from "../state/world-state.js";

/** What running a block's transactions left behind. */
export interface Execution {
  readonly receipts: readonly Receipt[];
  /** How each transaction ended. */
  readonly results: readonly EvmResult[];
  readonly receiptsRoot: Hash;
  readonly gasUsed: bigint;
  readonly logsBloom: Bloom;
  readonly state: StateUpdate;
}

/** What transactions run on. */
export interface ExecutionGround {
  readonly evm: Evm;
  readonly states: StateStore;
  /** The state after the parent; it is changed. */
  readonly state: JournaledState;
  readonly block: BlockContext;
}

/** Receipts had the state root until EIP-658; since then they say whether a transaction succeeded. */
const FORKS_WITH_ROOTS: readonly Fork[] = [
  "frontier",
  "homestead",
  "dao",
  "tangerineWhistle",
  "spuriousDragon",
];

/** A block that is being executed, transaction by transaction; roots are made once, at the end. */
export class BlockExecution {
  readonly #ground: ExecutionGround;
  readonly #receipts: Receipt[] = [];
  readonly #results: EvmResult[] = [];
  readonly #logsBloom = createBloom();
  #gasUsed = 0n;

  constructor(ground: ExecutionGround) {
    this.#ground = ground;
  }

  /** The gas that is left for further transactions. */
  get gasLeft(): bigint {
    return this.#ground.block.gasLimit - this.#gasUsed;
  }

  /** Runs the next transaction; throws `InvalidBlock`, and then the state is as before. */
  async run(transaction: Transaction): Promise<EvmResult> {
    const { evm, states, state, block } = this.#ground;
    const index = this.#receipts.length;
    if (transaction.gasLimit > this.gasLeft) {
      throw new InvalidBlock("gas-limit", `transaction ${index} does not fit into the block`);
    }
    const result = await runTransaction(evm, transaction, index, { block, state });
    this.#gasUsed += result.gasUsed;
    const logsBloom = bloomOfLogs(result.logs);
    mergeIntoBloom(this.#logsBloom, logsBloom);
    this.#results.push(result);
    this.#receipts.push({
      type: transaction.type,
      ...(FORKS_WITH_ROOTS.includes(block.fork)
        ? { postState: states.update(state).root }
        : { status: result.outcome === "success" ? 1 : 0 }),
      cumulativeGasUsed: this.#gasUsed,
      gasUsed: result.gasUsed,
      logsBloom,
      logs: result.logs,
    });
    return result;
  }

  /** What the header must say. */
  finish(): Execution {
    const { states, state } = this.#ground;
    return {
      receipts: this.#receipts,
      results: this.#results,
      receiptsRoot: receiptsRoot(this.#receipts),
      gasUsed: this.#gasUsed,
      logsBloom: this.#logsBloom,
      state: states.update(state),
    };
  }
}

/** Runs the transactions of a block in order, then what the engine does at its end. */
export async function executeBlock(
  ground: ExecutionGround,
  transactions: readonly Transaction[],
  finalize: (state: WorldState) => void,
): Promise<Execution> {
  const execution = new BlockExecution(ground);
  for (const transaction of transactions) await execution.run(transaction);
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
  verify("logs-bloom", toHex(execution.logsBloom), toHex(header.logsBloom));
  verify("receipts-root", execution.receiptsRoot, header.receiptsRoot);
  verify("state-root", execution.state.root, header.stateRoot);
}

async function runTransaction(
  evm: Evm,
  transaction: Transaction,
  index: number,
  on: { readonly block: BlockContext; readonly state: WorldState },
): Promise<EvmResult> {
  const { raw, sender, isUnsigned } = transaction;
  try {
    return await evm.runTransaction({ raw, sender, isUnsigned }, on);
  } catch (error) {
    throw new InvalidBlock(
      "transaction",
      `transaction ${index} cannot run: ${messageOf(error)}`,
      error,
    );
  }
}
