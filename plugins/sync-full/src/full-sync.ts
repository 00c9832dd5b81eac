import {
  type Block,
  encodeBody,
  InvalidBlock,
  messageOf,
  type NodeId,
  PlinthError,
  type Runtime,
  type SealedHeader,
} from "@plinth/core";
import { type EthPeer, type EthPeers, RequestFailed } from "@plinth/plugin-protocol-eth/api";
import { chooseTarget, highestKnown } from "./choose-target.js";
import { fetchBodies } from "./fetch-bodies.js";
import { findAncestor } from "./find-ancestor.js";
import { fillRange, type HeaderRange, listRanges } from "./header-ranges.js";
import { mapAhead } from "./map-ahead.js";
import { askAnyPeer } from "./peer-choice.js";
import { ProgressReport } from "./sync-progress.js";

const PARALLEL = 4;
/** What may wait to be imported. */
const MAX_WAITING_HEADERS = 2_000;
const MAX_WAITING_BYTES = 64 * 2 ** 20;
/** Headers whose bodies are fetched together. */
const BATCH = 100;
/** Where no peer has new blocks, peers are checked again after this time, or when one changes. */
const IDLE_MS = 5_000;
/** A peer with which synchronization failed is not chosen again for this long. */
const AVOID_MS = 30_000;

/** Follows the heaviest peer: finds where the chains part, fetches what is missing and imports it. */
export class FullSync {
  readonly #runtime: Runtime;
  readonly #peers: EthPeers;
  readonly #progress: ProgressReport;
  readonly #avoided = new Map<NodeId, number>();

  constructor(runtime: Runtime, peers: EthPeers) {
    this.#runtime = runtime;
    this.#peers = peers;
    this.#progress = new ProgressReport(runtime);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = this.#peers.onChange(() => this.#report());
    try {
      while (!signal.aborted) {
        this.#report();
        const target = this.#chooseTarget();
        if (target === undefined) await this.#waitForPeers(signal);
        else await this.#follow(target, signal);
      }
    } finally {
      stop();
      this.#progress.end();
    }
  }

  #chooseTarget(): EthPeer | undefined {
    const now = this.#runtime.clock.now();
    for (const [id, until] of this.#avoided) if (until <= now) this.#avoided.delete(id);
    const { blocks } = this.#runtime.chain;
    return chooseTarget(this.#peers.all(), blocks, (id) => this.#avoided.has(id));
  }

  /** Synchronizes with a peer; when that fails, the peer is avoided for a while. */
  async #follow(target: EthPeer, signal: AbortSignal): Promise<void> {
    const before = this.#runtime.chain.blocks.head().hash;
    try {
      await this.#synchronize(target, signal);
      if (this.#runtime.chain.blocks.head().hash !== before) return;
      this.#avoid(target, "nothing new came from it");
    } catch (error) {
      if (signal.aborted) return;
      if (!isExpected(error)) throw error;
      this.#avoid(target, messageOf(error));
      if (error instanceof InvalidBlock) target.peer.disconnect("breach-of-protocol");
    }
  }

  #avoid({ id }: EthPeer, reason: string): void {
    this.#runtime.log.debug(`peer ${id} is no longer synchronized with: ${reason}`);
    this.#avoided.set(id, this.#runtime.clock.now() + AVOID_MS);
  }

  async #synchronize(target: EthPeer, signal: AbortSignal): Promise<void> {
    const ancestor = await findAncestor(target, this.#runtime.chain.blocks);
    const ranges = await listRanges(target, ancestor);
    const headers = mapAhead(ranges, (range) => this.#fill(target, range), {
      parallel: PARALLEL,
      maxWeight: MAX_WAITING_HEADERS,
      weightOf: (part) => part.length,
    });
    const batches = mapAhead(inBatches(headers), (part) => this.#fetch(target, part), {
      parallel: PARALLEL,
      maxWeight: MAX_WAITING_BYTES,
      weightOf: (blocks) => blocks.reduce((sum, { body }) => sum + encodeBody(body).length, 0),
    });
    for await (const blocks of batches) {
      for (const block of blocks) {
        await this.#import(block, signal);
        this.#progress.imported(block.header);
      }
      this.#report();
    }
  }

  /** The open end of a chain only the target knows; any peer can fill what is between two hashes. */
  #fill(target: EthPeer, range: HeaderRange): Promise<readonly SealedHeader[]> {
    if (range.to === undefined) return fillRange(target, range);
    const height = range.to.number;
    return askAnyPeer(this.#peers, { height, target }, (peer) => fillRange(peer, range));
  }

  #fetch(target: EthPeer, headers: readonly SealedHeader[]): Promise<readonly Block[]> {
    const height = headers.at(-1)?.number ?? 0n;
    return askAnyPeer(this.#peers, { height, target }, (peer) => fetchBodies(peer, headers));
  }

  async #import(block: Block, signal: AbortSignal): Promise<void> {
    const { writer } = this.#runtime.chain;
    const { placement, awaits } = await writer.import(block, { origin: "sync", signal });
    if (placement === "deferred") {
      throw new RequestFailed(`block ${block.header.number} awaits its ${awaits}`);
    }
  }

  #report(): void {
    this.#progress.update(highestKnown(this.#peers.all(), this.#runtime.chain.blocks));
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

/** The fault of a peer, or of the moment. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof InvalidBlock ||
    error instanceof RequestFailed ||
    (error instanceof PlinthError && ["PEER_FAULT", "IMPORT_QUEUE_FULL"].includes(error.code))
  );
}
