import {
  type Block,
  type Hash,
  type Header,
  type ImportedEvent,
  InvalidBlock,
  messageOf,
  PeerError,
  PlinthError,
  type Runtime,
  type SealedBlock,
  type SealedHeader,
  verifyBody,
} from "@plinth/core";
import { type BlockAnnouncement, type NewBlock, newBlock } from "../codec/blocks.js";
import type { EthPeer } from "../eth-peer.js";
import type { EthPeers } from "../eth-peers.js";
import { formatImported } from "../import-lines.js";
import { RequestFailed } from "../requests.js";

/** Blocks further from the head are left to synchronization. */
const MAX_BEHIND = 10n;
const MAX_AHEAD = 30n;
/** Blocks that are fetched at a time; more announcements are dropped. */
const MAX_FETCHING = 64;
const MAX_FETCHING_PER_PEER = 8;
/** The least that a transaction and a byte of its input cost; bytes of a transaction beside its input. */
const TRANSACTION_GAS = 21_000;
const GAS_PER_BYTE = 4;
const TRANSACTION_BYTES = 1_024;
/** A range update is sent to peers after this many blocks. */
const RANGE_UPDATE_BLOCKS = 32n;

/** Passes blocks on: sends those that this node imported, and imports those that peers send. */
export class BlockGossip {
  readonly #runtime: Runtime;
  readonly #peers: EthPeers;
  /** Blocks that are being fetched or imported. */
  readonly #underWay = new Set<Hash>();
  readonly #perPeer = new WeakMap<EthPeer, number>();
  #announcedRange = 0n;

  constructor(runtime: Runtime, peers: EthPeers) {
    this.#runtime = runtime;
    this.#peers = peers;
  }

  /** Sends a block that was imported to every peer that does not have it; history is not sent. */
  imported({ block, origin }: Pick<ImportedEvent, "block" | "origin">): void {
    this.#sendRange();
    const isNew = origin === "own" || origin === "peer";
    if (!isNew || !isGossiped(block.header)) return;
    const { hash } = block.header;
    const receivers = this.#peers.all().filter((peer) => peer.knownBlocks.add(hash));
    if (receivers.length === 0) return;
    const totalDifficulty = this.#runtime.chain.blocks.findTotalDifficulty(hash) ?? 0n;
    const payload = newBlock.encode({ block, totalDifficulty });
    for (const { peer } of receivers) peer.send(newBlock.code, payload);
  }

  /** Takes a block that a peer sent unasked. Echoes of blocks that are known are common, and ignored. */
  async received(peer: EthPeer, { block, totalDifficulty }: NewBlock): Promise<void> {
    const header = this.#seal(block.header);
    this.#verifyGossiped(header);
    peer.knownBlocks.add(header.hash);
    if (totalDifficulty < header.difficulty) {
      throw new PeerError(
        "breach-of-protocol",
        `a total difficulty of ${totalDifficulty}, below that of the block itself`,
      );
    }
    // The block itself may be wrong; its parent is what the peer is known to have.
    peer.hasBlock({
      hash: header.parentHash,
      number: header.number - 1n,
      totalDifficulty: totalDifficulty - header.difficulty,
    });
    this.#peers.changed();
    if (!this.#isWanted(header) || !this.#hasRoomFor(peer)) return;
    this.#verifyPossible(block);
    verifySentBody({ header, body: block.body });
    this.#inBackground(peer, header.hash, () => this.#import(peer, block));
  }

  /** Fetches blocks that a peer announced by their hashes. */
  announced(peer: EthPeer, announcements: readonly BlockAnnouncement[]): void {
    this.#verifyGossiped(this.#runtime.chain.blocks.head());
    for (const { hash, number } of announcements) {
      peer.knownBlocks.add(hash);
      if (this.#isWanted({ hash, number }) && this.#hasRoomFor(peer)) {
        this.#inBackground(peer, hash, () => this.#fetch(peer, { hash, number }));
      }
    }
  }

  #isWanted({ hash, number }: BlockAnnouncement): boolean {
    const { blocks } = this.#runtime.chain;
    const head = blocks.head().number;
    const isNear = number + MAX_BEHIND >= head && number <= head + MAX_AHEAD;
    const isFree = this.#underWay.size < MAX_FETCHING && !this.#underWay.has(hash);
    return isNear && isFree && blocks.findHeader(hash) === undefined;
  }

  #hasRoomFor(peer: EthPeer): boolean {
    return (this.#perPeer.get(peer) ?? 0) < MAX_FETCHING_PER_PEER;
  }

  /** Cheap checks before the roots of a body are computed: what no block of this chain has gas for is no block. */
  #verifyPossible({ body }: Block): void {
    const most = Number(this.#runtime.chain.blocks.head().gasLimit) * 2;
    const bytes = body.transactions.reduce((sum, { raw }) => sum + raw.length, 0);
    const gas = body.transactions.length * TRANSACTION_GAS;
    const bytesOfFields = body.transactions.length * TRANSACTION_BYTES;
    if (gas <= most && (bytes - bytesOfFields) * GAS_PER_BYTE <= most) return;
    throw new PeerError("breach-of-protocol", "a block with more transactions than gas allows");
  }

  /** Runs beside the session: an import must not keep other messages of the peer waiting. */
  #inBackground(peer: EthPeer, hash: Hash, work: () => Promise<void>): void {
    this.#underWay.add(hash);
    this.#perPeer.set(peer, (this.#perPeer.get(peer) ?? 0) + 1);
    const { tasks, log } = this.#runtime;
    tasks.run("block gossip", async () => {
      try {
        await work();
      } catch (error) {
        if (!isExpected(error)) throw error;
        if (error instanceof PeerError) peer.peer.disconnect(error.reason);
        log.debug(`block ${hash} of a peer was not imported: ${messageOf(error)}`);
      } finally {
        this.#underWay.delete(hash);
        this.#perPeer.set(peer, (this.#perPeer.get(peer) ?? 1) - 1);
      }
    });
  }

  async #fetch(peer: EthPeer, { hash, number }: BlockAnnouncement): Promise<void> {
    const request = { start: hash, limit: 1n, skip: 0n, reverse: false };
    const [header] = await peer.requestHeaders(request);
    if (header === undefined || header.number !== number) return;
    const [body] = await peer.requestBodies([hash]);
    if (body === undefined) return;
    verifySentBody({ header, body });
    await this.#import(peer, { header, body });
  }

  async #import(peer: EthPeer, block: Block): Promise<void> {
    const { chain, network, log } = this.#runtime;
    const began = performance.now();
    const {
      placement,
      awaits,
      block: sealed,
    } = await chain.writer.import(block, {
      origin: "peer",
    });
    if (placement === "head") {
      const seconds = (performance.now() - began) / 1000;
      log.info(formatImported(sealed, { seconds, peers: network.peers().length }));
    }
    if (placement === "deferred" && awaits === "parent") await this.#importAncestors(peer, sealed);
  }

  /** Fetches the blocks between the chain and a block, which is imported after its parent. */
  async #importAncestors(peer: EthPeer, { header }: SealedBlock): Promise<void> {
    const { blocks, writer } = this.#runtime.chain;
    const headers = await peer.requestHeaders({
      start: header.parentHash,
      limit: MAX_BEHIND + MAX_AHEAD,
      skip: 0n,
      reverse: true,
    });
    const known = headers.findIndex(({ hash }) => blocks.findHeader(hash) !== undefined);
    // Further away than gossip reaches: synchronization finds it.
    if (known === -1) return;
    const missing = headers.slice(0, known).reverse();
    const bodies = await peer.requestBodies(missing.map(({ hash }) => hash));
    if (bodies.length !== missing.length) return;
    for (const [index, parent] of missing.entries()) {
      const body = bodies[index];
      if (body === undefined) return;
      verifySentBody({ header: parent, body });
      await writer.import({ header: parent, body }, { origin: "peer" });
    }
  }

  #sendRange(): void {
    const { number: latest, hash: latestHash } = this.#runtime.chain.blocks.head();
    if (latest < this.#announcedRange + RANGE_UPDATE_BLOCKS) return;
    this.#announcedRange = latest;
    for (const { peer, codecs } of this.#peers.all()) {
      const codec = codecs.blockRangeUpdate;
      if (codec !== undefined) {
        peer.send(codec.code, codec.encode({ earliest: 0n, latest, latestHash }));
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

  /** Where a beacon chain chooses the head, peers may not send blocks (EIP-3675). */
  #verifyGossiped(header: Header): void {
    const { blocks } = this.#runtime.chain;
    if (isGossiped(header) || isGossiped(blocks.head())) return;
    throw new PeerError("subprotocol-error", "it sends blocks of a chain that has merged");
  }
}

/** Another body under the hash of a block is the fault of the peer, not of the block. */
function verifySentBody(block: SealedBlock): void {
  try {
    verifyBody(block);
  } catch (cause) {
    throw new PeerError("breach-of-protocol", messageOf(cause), cause);
  }
}

function isGossiped({ difficulty, number }: Header): boolean {
  return difficulty > 0n || number === 0n;
}

/** The peer's fault, or one of the moment; anything else is a fault of this node. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof InvalidBlock ||
    error instanceof RequestFailed ||
    error instanceof PeerError ||
    (error instanceof PlinthError && error.code === "IMPORT_QUEUE_FULL")
  );
}
