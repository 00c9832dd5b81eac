import type { Block, ChainReader, ConsensusEngine, Header, SealedHeader } from "@plinth/core";
import { type Address, EMPTY_ROOT, type Hash, ZERO_HASH } from "@plinth/core";
import type { Withdrawal } from "@plinth/core/blocks";
import { copyHeader, transactionsRoot, unclesHash, withdrawalsRoot } from "@plinth/core/blocks";
import type { BlockContext, Evm } from "@plinth/core/evm";
import { BLOOM_BYTES } from "@plinth/core/primitives";
import type { ForkSchedule } from "@plinth/core/rules";
import { baseFeeOn, expectedGasLimit, nextExcessBlobGas } from "@plinth/core/rules";
import { BlockExecution, type Execution } from "../import/execute-block.js";
import type { StateStore } from "../state/state-store.js";
import { BlockSpace } from "./block-space.js";
import { approachGasLimit } from "./gas-limit.js";
import {
  type Candidates,
  type LeftOut,
  type SelectionLimits,
  selectTransactions,
} from "./select-transactions.js";
import { verifyDraft } from "./verify-draft.js";

/** The inputs of a block to build. */
export interface BuildSettings {
  readonly evm: Evm;
  readonly states: StateStore;
  readonly engine: ConsensusEngine;
  readonly chain: ChainReader;
  readonly forks: ForkSchedule;
  readonly parent: SealedHeader;
  readonly timestamp: bigint;
  /** The engine's extra data; empty by default. */
  readonly extraData?: Uint8Array;
  /** Overrides the engine's fee recipient. */
  readonly coinbase?: Address;
  /** The withdrawals of the beacon chain; none by default. */
  readonly withdrawals?: readonly Withdrawal[];
  /** The parent beacon block root; zero by default. */
  readonly parentBeaconBlockRoot?: Hash;
  readonly candidates: Candidates;
  /** The limits of the selection. */
  readonly limits?: SelectionLimits;
  /** The target gas limit; that of the parent by default. */
  readonly targetGasLimit?: bigint;
  /** Called with the skipped candidates, even if the block cannot be finished. */
  selected?(leftOut: readonly LeftOut[]): Promise<void>;
  /** Final changes to the header, before anything runs. */
  refine?(draft: Header, parent: SealedHeader): Promise<Header>;
  contextOf(header: Header): BlockContext;
}

/** A block with its execution, and the skipped candidates with the reasons. */
export interface BuildResult {
  readonly block: Block;
  readonly execution: Execution;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Fills a block with the candidates that fit and execute, and computes its roots; rejects with
 * `InvalidBlock` if no such block is possible.
 */
export async function buildBlock(settings: BuildSettings): Promise<BuildResult> {
  const { evm, states, engine, forks, parent, candidates, limits, withdrawals = [] } = settings;
  const draft = await prepareDraft(settings);
  const state = states.open(parent);
  using _tries = await states.prepareTries(state, { lane: "chain" });
  const block = settings.contextOf(draft);
  const execution = new BlockExecution({ evm, states, state, block, forks, engine });
  await execution.begin(draft);
  const paid = draft.withdrawalsRoot === undefined ? {} : { withdrawals };
  const empty = { header: draft, body: { transactions: [], uncles: [], ...paid } };
  const space = new BlockSpace(empty, forks);
  const selection = { ...limits, candidates, execution, space, state, draft };
  const { transactions, leftOut } = await selectTransactions(selection);
  await settings.selected?.(leftOut);
  const unfinished = { header: draft, body: { ...empty.body, transactions } };
  await execution.end(paid.withdrawals ?? []);
  const fork = forks.at(draft);
  await execution.finalize(() => engine.finalize?.({ block: unfinished, fork, state }));
  const finished = await execution.finish();
  const { blobGasUsed, requestsHash } = finished;
  const header = copyHeader(draft, {
    transactionsRoot: transactionsRoot(transactions),
    receiptsRoot: finished.receiptsRoot,
    stateRoot: finished.state.root,
    logsBloom: finished.logsBloom,
    gasUsed: finished.gasUsed,
    blobGasUsed: draft.blobGasUsed === undefined ? undefined : blobGasUsed,
    requestsHash: draft.requestsHash === undefined ? undefined : requestsHash,
  });
  return { block: { header, body: unfinished.body }, execution: finished, leftOut };
}

async function prepareDraft(settings: BuildSettings): Promise<Header> {
  const { engine, chain, parent, coinbase } = settings;
  const prepared = await engine.prepareHeader(draftHeader(settings), parent, chain);
  const draft = coinbase === undefined ? prepared : copyHeader(prepared, { coinbase });
  const refined = (await settings.refine?.(draft, parent)) ?? draft;
  verifyDraft(refined);
  return refined;
}

/** A header on its parent, with the fields of its fork; the roots are added at the end. */
export function draftHeader(
  settings: Omit<
    BuildSettings,
    | "evm"
    | "states"
    | "engine"
    | "chain"
    | "candidates"
    | "limits"
    | "selected"
    | "refine"
    | "contextOf"
  >,
): Header {
  const { parent, timestamp, extraData, forks, withdrawals = [] } = settings;
  const point = { number: parent.number + 1n, timestamp };
  const rules = forks.rulesAt(point);
  const isBlobFork = rules.blobs !== undefined;
  const draft = {
    parentHash: parent.hash,
    unclesHash: unclesHash([]),
    coinbase: parent.coinbase,
    stateRoot: ZERO_HASH,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: parent.difficulty,
    number: point.number,
    gasLimit: approachGasLimit(expectedGasLimit(parent, rules.hasBaseFee), settings.targetGasLimit),
    gasUsed: 0n,
    timestamp,
    extraData: extraData ?? new Uint8Array(),
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
  };
  return copyHeader(draft, {
    baseFeePerGas: rules.hasBaseFee ? baseFeeOn(parent, forks) : undefined,
    withdrawalsRoot: rules.hasWithdrawals ? withdrawalsRoot(withdrawals) : undefined,
    blobGasUsed: isBlobFork ? 0n : undefined,
    excessBlobGas: isBlobFork ? nextExcessBlobGas(parent, forks.blobsAt(point)) : undefined,
    parentBeaconBlockRoot: rules.keepsBeaconRoots
      ? (settings.parentBeaconBlockRoot ?? ZERO_HASH)
      : undefined,
    requestsHash: rules.hasRequests ? ZERO_HASH : undefined,
  });
}
