import {
  type BlockReader,
  type Hash,
  InvalidBlock,
  InvariantError,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import type { BlockReplay, BlockWriter, ReplayResult } from "@plinth/core/chain";
import type { Remote } from "@plinth/plugin-dev-fork/api";
import type { NetworkBlock } from "../remote/remote-blocks.js";
import { compareReceipts } from "./compare-receipts.js";
import { correctState } from "./correct-state.js";
import { type Compared, compare, type Difference } from "./difference.js";
import { type CodeOverrides, putCode } from "./override-code.js";

/** The inputs of a rehearsal. */
export interface RehearsalSettings {
  readonly blocks: BlockReader & BlockWriter;
  readonly remote: Remote;
  readonly overrides: CodeOverrides;
  /** Whether seals are verified: not on a chain whose earlier headers are unknown. */
  readonly verifiesSeals: boolean;
  readonly signal: AbortSignal;
}

/** The result for one block. */
export interface Rehearsed {
  readonly differences: readonly Difference[];
  /** Why no later block can be executed; `undefined` if it can. */
  readonly obstacle?: string | undefined;
}

/** Rules that compare the result of an execution with the header. */
const RULES_OF_RESULTS = [
  "gas-used",
  "blob-gas-used",
  "requests-hash",
  "logs-bloom",
  "receipts-root",
  "state-root",
  // One that cannot run is reported with its index.
  "transaction",
];
/** Names of values that the network has and this execution did not leave, per block. */
const MAX_STATE_CHANGES = 20;

/**
 * Executes blocks of a network on its own state before each.
 *
 * A block without a difference is imported like one of a peer. After a difference the values of the network are copied, so that
 * the next block is executed on its state again.
 */
export class Rehearsal {
  readonly #settings: RehearsalSettings;
  /** Rules of headers that are reported, once each. */
  readonly #reported = new Set<string>();

  constructor(settings: RehearsalSettings) {
    this.#settings = settings;
  }

  /** Executes the block that follows the head, and makes it the head. */
  async run(next: NetworkBlock): Promise<Rehearsed> {
    const { overrides, verifiesSeals } = this.#settings;
    if (overrides.size > 0 || !verifiesSeals) return this.#replay(next, undefined);
    const problem = await this.#import(next);
    return problem === "imported" ? { differences: [] } : this.#replay(next, problem);
  }

  /** The rule that the block breaks here, if any; `undefined` if it is one from the future. */
  async #import({ block }: NetworkBlock): Promise<"imported" | InvalidBlock | undefined> {
    try {
      const { placement } = await this.#settings.blocks.import(block, { origin: "file" });
      if (placement === "deferred") return undefined;
      await this.#setHead(block.header.hash);
      return "imported";
    } catch (error) {
      if (error instanceof InvalidBlock) return error;
      throw error;
    }
  }

  async #replay(next: NetworkBlock, problem: InvalidBlock | undefined): Promise<Rehearsed> {
    const { blocks, overrides } = this.#settings;
    const { block, receipts } = next;
    const { header, body } = block;
    using replay = await blocks.replay(block);
    if (replay === undefined) {
      throw new InvariantError(`the state before block ${header.number} is missing`);
    }
    const takeOut = putCode(replay.state, overrides);
    const outcome = await finish(replay);
    takeOut();
    const { transactions } = body;
    const results: Found[] = [
      ...compareReceipts({ transactions, network: receipts, here: replay.receipts }),
      ...("failure" in outcome ? [outcome.failure] : compareResult(header, outcome)),
      ...compare("stateRoot", header.stateRoot, blocks.rootOf(replay)),
    ];
    const found = [...this.#compareRules(problem, results), ...results];
    const { changes, obstacle } = await this.#correct(replay, header);
    const differences = [...found, ...shorten(changes)].map((each) => ({
      block: header.number,
      blockHash: header.hash,
      ...each,
    }));
    if (obstacle !== undefined) return { differences, obstacle };
    await blocks.adopt(replay, receipts);
    await this.#setHead(header.hash);
    return { differences };
  }

  #correct(replay: BlockReplay, header: SealedHeader) {
    const { blocks, remote, signal } = this.#settings;
    const rootOf = () => blocks.rootOf(replay);
    if (rootOf() === header.stateRoot) return { changes: [], obstacle: undefined };
    return correctState(replay.state, header, { remote, signal, rootOf });
  }

  /** A rule of headers is broken by every block from one on; one of results only if the replay does not show it. */
  #compareRules(problem: InvalidBlock | undefined, results: readonly Found[]): readonly Compared[] {
    if (problem === undefined) return [];
    const isOfResult = RULES_OF_RESULTS.includes(problem.rule);
    if (isOfResult ? results.length > 0 : this.#reported.has(problem.rule)) return [];
    if (!isOfResult) this.#reported.add(problem.rule);
    return [{ field: `rule ${problem.rule}`, network: "accepted", here: problem.message }];
  }

  /** On chains without finality the head of the network counts, whatever the engine prefers. */
  async #setHead(hash: Hash): Promise<void> {
    const { blocks } = this.#settings;
    if (blocks.head().hash !== hash) await blocks.setHead(hash);
  }
}

type Found = Compared & Pick<Difference, "transaction">;

async function finish(replay: BlockReplay): Promise<ReplayResult | { readonly failure: Found }> {
  try {
    return await replay.finish();
  } catch (error) {
    if (!(error instanceof InvalidBlock)) throw error;
    const { position: index, transaction } = replay;
    const here = error.message;
    if (transaction === undefined) {
      return { failure: { field: "end of the block", network: "executed", here } };
    }
    const at = { hash: transaction.hash, index };
    return { failure: { field: "validity", network: "executed", here, transaction: at } };
  }
}

function compareResult(header: SealedHeader, result: ReplayResult): readonly Compared[] {
  const { blobGasUsed, requestsHash } = header;
  return [
    ...compare("gasUsed", header.gasUsed, result.gasUsed),
    ...compare("logsBloom", toHex(header.logsBloom), toHex(result.logsBloom)),
    ...compare("receiptsRoot", header.receiptsRoot, result.receiptsRoot),
    ...(blobGasUsed === undefined ? [] : compare("blobGasUsed", blobGasUsed, result.blobGasUsed)),
    ...(requestsHash === undefined
      ? []
      : compare("requestsHash", requestsHash, result.requestsHash)),
  ];
}

function shorten(changes: readonly Compared[]): readonly Compared[] {
  const omitted = changes.length - MAX_STATE_CHANGES;
  if (omitted <= 0) return changes;
  const rest = { field: "more values of the state", network: `${omitted}`, here: "not listed" };
  return [...changes.slice(0, MAX_STATE_CHANGES), rest];
}
