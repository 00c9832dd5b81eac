import {
  type Body,
  FutureBlock,
  type Hash,
  type Header,
  type ImportedEvent,
  InvalidBlock,
  InvalidTransaction,
  messageOf,
  PeerError,
  PlinthError,
  RlpError,
  type Runtime,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import { BlockPruned, StatePruned } from "@plinth/core/chain";
import { verifyBodyInTurns } from "@plinth/core/rules";
import { type BlockAnnouncement, newBlock, type UnreadNewBlock } from "../codec/blocks.js";
import type { EthPeer } from "../eth-peer.js";
import type { EthPeers } from "../eth-peers.js";
import { formatImported } from "../import-lines.js";
import { RequestFailed } from "../requests.js";
import { PendingBlocks } from "./pending-blocks.js";
import { maxTransactions } from "./possible-blocks.js";

/** Blocks further from the head are left to synchronization. */
const MAX_BEHIND = 10n;
const MAX_AHEAD = 30n;
/** Maximum clock difference to honest peers. */
const MAX_WAIT_MS = 60_000;
/** Number of blocks between range updates. */
const RANGE_UPDATE_BLOCKS = 32n;

/** An attempt to import a block of a peer. */
interface Trial {
  readonly peer: EthPeer;
  /** Its memory use. */
  readonly bytes: number;
  run(signal: AbortSignal): Promise<void>;
}

/** Propagates imported blocks, and imports blocks that peers send. */
export class BlockGossip {
  readonly #runtime: Runtime;
  readonly #peers: EthPeers;
  /** Separate, because an available block must not wait for one that has to be fetched. */
  readonly #sent: PendingBlocks;
  readonly #announced: PendingBlocks;
  #announcedRange = 0n;

  constructor(runtime: Runtime, peers: EthPeers) {
    this.#runtime = runtime;
    this.#peers = peers;
    this.#sent = new PendingBlocks((hash) => this.#isKnown(hash));
    this.#announced = new PendingBlocks((hash) => this.#isKnown(hash));
  }

  /**
   * Sends an imported block to every peer that does not have it; historical blocks are not sent.
   */
  imported({ block, origin }: Pick<ImportedEvent, "block" | "origin">): void {
    const isNew = origin === "own" || origin === "peer";
    if (!isNew || !isGossiped(block.header)) return;
    const { hash } = block.header;
    const receivers = this.#peers.all().filter((peer) => peer.knownBlocks.add(hash));
    if (receivers.length === 0) return;
    const totalDifficulty = this.#runtime.chain.blocks.findTotalDifficulty(hash) ?? 0n;
    const payload = newBlock.encode({ block, totalDifficulty });
    for (const { peer } of receivers) peer.send(newBlock.code, payload);
  }

  /** Handles an unsolicited block. Echoes of known blocks are common, and ignored. */
  received(peer: EthPeer, block: UnreadNewBlock): void {
    const { totalDifficulty } = block;
    const header = this.#seal(block.header);
    this.#verifyGossiped(header);
    peer.knownBlocks.add(header.hash);
    if (totalDifficulty < header.difficulty) {
      throw new PeerError(
        "breach-of-protocol",
        `a total difficulty of ${totalDifficulty}, below that of the block itself`,
      );
    }
    // The block itself may be invalid; its parent is what the peer provably has.
    peer.hasBlock({
      hash: header.parentHash,
      number: header.number - 1n,
      totalDifficulty: totalDifficulty - header.difficulty,
    });
    this.#peers.changed();
    this.#noteValid(peer, header);
    this.#tryBlock(this.#sent, header, {
      peer,
      bytes: block.bytes,
      run: (signal) => this.#importUnread(peer, { ...block, header }, signal),
    });
  }

  /** A peer that sent or announced a block of this node's tree has it. */
  #noteValid(peer: EthPeer, { hash, number }: BlockAnnouncement): void {
    const totalDifficulty = this.#runtime.chain.blocks.findTotalDifficulty(hash);
    if (totalDifficulty !== undefined) peer.hasBlock({ hash, number, totalDifficulty });
  }

  /** Fetches blocks that a peer announced by hash. */
  announced(peer: EthPeer, announcements: readonly BlockAnnouncement[]): void {
    this.#verifyGossiped(this.#runtime.chain.blocks.head());
    for (const { hash, number } of announcements) {
      peer.knownBlocks.add(hash);
      if (this.#sent.has(hash)) continue;
      this.#tryBlock(
        this.#announced,
        { hash, number },
        {
          peer,
          bytes: 0,
          run: (signal) => this.#fetch(peer, { hash, number }, signal),
        },
      );
    }
  }

  /** Runs beside the session: an import must not delay other messages of the peer. */
  #tryBlock(underWay: PendingBlocks, block: BlockAnnouncement, { peer, bytes, run }: Trial): void {
    const { hash } = block;
    if (!this.#isNear(block) || this.#isKnown(hash)) return;
    if (!underWay.hasRoomFor(peer, hash, bytes)) return;
    const { tasks, log } = this.#runtime;
    const attempt = async (signal: AbortSignal) => {
      // A disconnected peer does not hold a slot.
      const either = AbortSignal.any([signal, peer.peer.signal]);
      try {
        await run(either);
        this.#noteValid(peer, block);
      } catch (error) {
        if (either.aborted && error === either.reason) return;
        if (!isExpected(error)) throw error;
        if (error instanceof PeerError) peer.peer.disconnect(error.reason);
        log.debug(`block ${hash} of a peer was not imported: ${messageOf(error)}`);
      }
    };
    tasks.run("block gossip", async (signal) => {
      await underWay.add(hash, { peer, bytes, run: () => attempt(signal) });
    });
  }

  #isNear({ number }: BlockAnnouncement): boolean {
    const head = this.#runtime.chain.blocks.head().number;
    return number + MAX_BEHIND >= head && number <= head + MAX_AHEAD;
  }

  #isKnown(hash: Hash): boolean {
    return this.#runtime.chain.blocks.findHeader(hash) !== undefined;
  }

  /** The body is not decoded before the seal of the header is verified. */
  async #importUnread(
    peer: EthPeer,
    { header, readBody }: UnreadNewBlock & { readonly header: SealedHeader },
    signal: AbortSignal,
  ): Promise<void> {
    if (!(await this.#isSealed(peer, header, signal))) return;
    const body = await readSentBody(() => readBody(maxTransactions(header)));
    await this.#import({ header, body });
  }

  async #fetch(
    peer: EthPeer,
    { hash, number }: BlockAnnouncement,
    signal: AbortSignal,
  ): Promise<void> {
    const request = { start: hash, limit: 1n, skip: 0n, reverse: false };
    const [header] = await peer.requestHeaders(request);
    if (header === undefined || header.number !== number) return;
    if (!(await this.#isSealed(peer, header, signal))) return;
    const [body] = await peer.requestBodies([hash]);
    if (body !== undefined) await this.#import({ header, body });
  }

  /** Whether a header is valid on its parent, which is fetched if it is missing. */
  async #isSealed(peer: EthPeer, header: SealedHeader, signal: AbortSignal): Promise<boolean> {
    const { chain, clock } = this.#runtime;
    await this.#sent.ended(header.parentHash);
    try {
      if (!this.#isKnown(header.parentHash)) await this.#importAncestors(peer, header);
      if (!this.#isKnown(header.parentHash)) return false;
      await chain.writer.verifyHeader(header);
      return true;
    } catch (error) {
      if (!(error instanceof FutureBlock)) {
        if (error instanceof InvalidBlock)
          peer.peer.report({ outcome: "useless", request: "NewBlock" });
        throw error;
      }
      const waitMs = error.acceptableAtMs - clock.now();
      if (waitMs > MAX_WAIT_MS) throw error;
      await clock.sleep(waitMs, signal);
      return this.#isSealed(peer, header, signal);
    }
  }

  async #import(block: SealedBlock): Promise<void> {
    const { chain, network, log } = this.#runtime;
    await verifySentBody(block);
    const began = performance.now();
    const { placement, block: imported } = await chain.writer.import(block, { origin: "peer" });
    if (placement !== "head") return;
    const seconds = (performance.now() - began) / 1000;
    log.info(formatImported(imported, { seconds, peers: network.peers().length }));
  }

  /** Fetches the blocks between the chain and a block, and imports them. */
  async #importAncestors(peer: EthPeer, header: SealedHeader): Promise<void> {
    const { blocks, writer } = this.#runtime.chain;
    const headers = await peer.requestHeaders({
      start: header.parentHash,
      limit: MAX_BEHIND + MAX_AHEAD,
      skip: 0n,
      reverse: true,
    });
    const known = headers.findIndex(({ hash }) => blocks.findHeader(hash) !== undefined);
    // Beyond the reach of gossip: synchronization finds it.
    if (known === -1) return;
    for (const missing of headers.slice(0, known).reverse()) {
      // No body is requested before the seal of its header is verified.
      await writer.verifyHeader(missing);
      const [body] = await peer.requestBodies([missing.hash]);
      if (body === undefined) return;
      const block = { header: missing, body };
      await verifySentBody(block);
      await writer.import(block, { origin: "peer" });
    }
  }

  /** Periodically reports the block range to peers whose protocol supports it. */
  headChanged(): void {
    const { blocks } = this.#runtime.chain;
    const { number: latest, hash: latestHash } = blocks.head();
    const isNear = latest < this.#announcedRange + RANGE_UPDATE_BLOCKS;
    // After a rewind the chain is shorter than peers believe.
    if (isNear && latest >= this.#announcedRange) return;
    this.#announcedRange = latest;
    for (const { peer, codecs } of this.#peers.all()) {
      const codec = codecs.blockRangeUpdate;
      if (codec !== undefined) {
        const earliest = blocks.firstRetained();
        peer.send(codec.code, codec.encode({ earliest, latest, latestHash }));
      }
    }
  }

  #seal(header: Header): SealedHeader {
    try {
      return this.#runtime.chain.blocks.seal(header);
    } catch (cause) {
      throw new PeerError("breach-of-protocol", `header ${header.number} has no hash`, cause);
    }
  }

  /** If a beacon chain selects the head, peers must not send blocks (EIP-3675). */
  #verifyGossiped(header: Header): void {
    const { blocks } = this.#runtime.chain;
    if (isGossiped(header) || isGossiped(blocks.head())) return;
    throw new PeerError("subprotocol-error", "it sends blocks of a chain that has merged");
  }
}

/** Another body under the hash of a block is the fault of the peer, not of the block. */
async function verifySentBody(block: SealedBlock): Promise<void> {
  try {
    await verifyBodyInTurns(block);
  } catch (cause) {
    throw new PeerError("breach-of-protocol", messageOf(cause), cause);
  }
}

async function readSentBody(read: () => Promise<Body>): Promise<Body> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof RlpError || cause instanceof InvalidTransaction)) throw cause;
    throw new PeerError("breach-of-protocol", cause.message, cause);
  }
}

function isGossiped({ difficulty, number }: Header): boolean {
  return difficulty > 0n || number === 0n;
}

/**
 * A fault of the peer, a temporary one, or a branch that begins before what this node keeps; any
 * other error is a fault of this node.
 */
function isExpected(error: unknown): boolean {
  return (
    error instanceof InvalidBlock ||
    error instanceof BlockPruned ||
    error instanceof StatePruned ||
    error instanceof RequestFailed ||
    error instanceof PeerError ||
    (error instanceof PlinthError && error.code === "IMPORT_QUEUE_FULL")
  );
}
