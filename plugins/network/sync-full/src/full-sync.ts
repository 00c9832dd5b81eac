import {
  type Block,
  type Health,
  InvalidBlock,
  messageOf,
  PeerError,
  type Runtime,
  type SealedHeader,
} from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import { BlockPruned, StatePruned } from "@plinth/core/chain";
import type { NodeId } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";
import { type EthPeer, type EthPeers, RequestFailed } from "@plinth/plugin-protocol-eth/api";
import { chooseTarget } from "./choose-target.js";
import { BodyMissing, type FetchedBlocks, fetchBodies } from "./fetch-bodies.js";
import { findAncestor } from "./find-ancestor.js";
import { fillRange, type HeaderRange, listRanges } from "./header-ranges.js";
import { PeerChoice } from "./peer-choice.js";
import { ProgressReport } from "./sync-progress.js";

const PARALLEL = 4;
/** Maximum size of the import backlog. */
const MAX_WAITING_HEADERS = 2_000;
const MAX_WAITING_BYTES = 32 * 2 ** 20;
/** Number of headers whose bodies are fetched together. */
const BATCH = 100;
/** If no peer has anything new, they are checked again after this time, or when one changes. */
const IDLE_MS = 5_000;
/** A peer that did not deliver is not chosen again for this long. */
const AVOID_MS = 30_000;
/** Number of failed peers to remember, even if disconnected: they may come back. */
const MAX_REMEMBERED = 1_000;
/** Delay after a fault of this node. */
const PAUSE_MS = 2_000;

const UNKNOWING = { isAvoided: () => false, failures: () => 0 };

/**
 * Follows the heaviest peer: finds the common ancestor, fetches the missing blocks and imports
 * them.
 */
export class FullSync {
  readonly #runtime: Runtime;
  readonly #peers: EthPeers;
  readonly #progress: ProgressReport;
  readonly #choice: PeerChoice;
  /**
   * Peers that did not deliver what they claimed: how often in a row, and until when they are
   * avoided.
   */
  readonly #failed = new LruMap<NodeId, { readonly count: number; readonly until: number }>({
    max: MAX_REMEMBERED,
  });
  /** Why blocks could not be imported, if that was a fault of this node. */
  #trouble: string | undefined;
  /** The last block for which it was logged that no peer delivers its body. */
  #missing: bigint | undefined;

  constructor(runtime: Runtime, peers: EthPeers) {
    this.#runtime = runtime;
    this.#peers = peers;
    this.#choice = new PeerChoice(peers, runtime.clock);
    this.#progress = new ProgressReport(runtime);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const target = this.#chooseTarget();
        if (target !== undefined) await this.#follow(target, signal);
        else {
          const { blocks } = this.#runtime.chain;
          const claiming = chooseTarget(this.#peers.all(), blocks, UNKNOWING);
          this.#progress.caughtUp({ isComplete: claiming === undefined });
          await this.#waitForPeers(signal);
        }
      }
    } finally {
      this.#progress.end();
    }
  }

  health(): Health {
    if (this.#trouble === undefined) return { status: "up" };
    return { status: "degraded", detail: this.#trouble };
  }

  #chooseTarget(): EthPeer | undefined {
    const now = this.#runtime.clock.now();
    return chooseTarget(this.#peers.all(), this.#runtime.chain.blocks, {
      isAvoided: (id) => (this.#failed.peek(id)?.until ?? 0) > now,
      failures: (id) => this.#failed.peek(id)?.count ?? 0,
    });
  }

  /**
   * Synchronizes with a peer. One that does not deliver what it claims to have is avoided for a
   * while.
   */
  async #follow(target: EthPeer, signal: AbortSignal): Promise<void> {
    const claimed = target.head;
    try {
      const isRound = await this.#synchronize(target, signal);
      this.#trouble = undefined;
      const isReached =
        claimed !== undefined && this.#runtime.chain.blocks.findHeader(claimed.hash) !== undefined;
      if (isRound || isReached) this.#failed.delete(target.id);
      else this.#avoid(target, "it did not deliver the head that it claims");
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof BodyMissing) this.#warnOfMissing(error);
      if (isOfPeer(error)) this.#avoid(target, messageOf(error));
      else await this.#pause(error, signal);
      if (error instanceof InvalidBlock) target.peer.disconnect("breach-of-protocol");
      if (error instanceof PeerError) target.peer.disconnect(error.reason);
    }
  }

  #avoid({ id, peer }: EthPeer, reason: string): void {
    this.#runtime.log.debug(`peer ${id} is avoided for synchronization: ${reason}`);
    const count = (this.#failed.peek(id)?.count ?? 0) + 1;
    this.#failed.set(id, { count, until: this.#runtime.clock.now() + AVOID_MS });
    peer.report({ outcome: "useless", request: "synchronization" });
  }

  #warnOfMissing({ number }: BodyMissing): void {
    if (this.#missing === number) return;
    this.#missing = number;
    this.#runtime.log.warn(
      `no connected peer delivers the body of block ${number}: they may have removed old ones (--blocks-retained); synchronization needs a peer that keeps all blocks`,
    );
  }

  /**
   * A fault of this node, such as of a plugin or of the storage, must not end synchronization for
   * good.
   */
  async #pause(error: unknown, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#runtime;
    const message = `synchronization is paused: ${messageOf(error)}`;
    if (this.#trouble !== message) log.error(message, { error });
    this.#trouble = message;
    await clock.sleep(PAUSE_MS, signal).catch(() => {});
  }

  /** Returns whether the peer may have more blocks than one round covers. */
  async #synchronize(target: EthPeer, signal: AbortSignal): Promise<boolean> {
    const ancestor = await findAncestor(target, this.#runtime.chain.blocks);
    const ranges = this.#withoutKnown(await listRanges(target, ancestor));
    const headers = mapConcurrent(ranges, (range) => this.#fill(target, range), {
      concurrency: PARALLEL,
      maxWeight: MAX_WAITING_HEADERS,
      weightOf: (part) => part.length,
    });
    const batches = mapConcurrent(inBatches(headers), (part) => this.#fetch(target, part), {
      concurrency: PARALLEL,
      maxWeight: MAX_WAITING_BYTES,
      weightOf: ({ bytes }) => bytes,
    });
    for await (const batch of batches) {
      await this.#importAll(target, batch.blocks, signal);
      for (let { rest } = batch; rest.length > 0; ) {
        const more = await this.#fetch(target, rest);
        await this.#importAll(target, more.blocks, signal);
        rest = more.rest;
      }
    }
    return ranges.at(-1)?.to !== undefined;
  }

  /**
   * A peer that hides the common ancestor could make this node fetch its own chain again and again.
   */
  #withoutKnown(ranges: readonly HeaderRange[]): readonly HeaderRange[] {
    const { blocks } = this.#runtime.chain;
    return ranges.filter(
      ({ to }) => to === undefined || blocks.findHeader(to.number)?.hash !== to.hash,
    );
  }

  /**
   * Only the target knows the open end of a chain; any peer can fill the gap between two hashes.
   */
  #fill(target: EthPeer, range: HeaderRange): Promise<readonly SealedHeader[]> {
    if (range.to === undefined) return fillRange(target, range);
    const height = range.to.number;
    return this.#choice.ask({ height, target }, (peer) => fillRange(peer, range));
  }

  #fetch(target: EthPeer, headers: readonly SealedHeader[]): Promise<FetchedBlocks> {
    const { clock } = this.#runtime;
    const height = headers.at(-1)?.number ?? 0n;
    return this.#choice.ask({ height, target }, (peer, progressed) =>
      fetchBodies(peer, headers, { clock, progressed }),
    );
  }

  async #importAll(target: EthPeer, batch: readonly Block[], signal: AbortSignal): Promise<void> {
    const { writer, blocks } = this.#runtime.chain;
    const from = blocks.head().number;
    for (const block of batch) {
      const { placement, awaits } = await writer.import(block, { origin: "sync", signal });
      if (placement === "deferred") {
        throw new RequestFailed(`block ${block.header.number} awaits its ${awaits}`);
      }
      this.#progress.imported(block.header);
      // Only now: a peer may claim anything, but cannot forge a valid block.
      this.#progress.behind({ from, highest: target.head?.number ?? 0n });
    }
  }

  async #waitForPeers(signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    const stop = this.#peers.onChange(() => wake.abort());
    const either = AbortSignal.any([signal, wake.signal]);
    await this.#runtime.clock.sleep(IDLE_MS, either).catch(() => {});
    stop();
  }
}

async function* inBatches(
  parts: AsyncIterable<readonly SealedHeader[]>,
): AsyncGenerator<readonly SealedHeader[]> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += BATCH) yield part.slice(at, at + BATCH);
  }
}

/** The chain of the peer is of no use: invalid, incomplete, or forked off before what this node keeps. */
const OF_PEER = [InvalidBlock, RequestFailed, PeerError, BlockPruned, StatePruned];

/** Whether a peer is at fault; otherwise this node is. */
function isOfPeer(error: unknown): boolean {
  return OF_PEER.some((type) => error instanceof type);
}
