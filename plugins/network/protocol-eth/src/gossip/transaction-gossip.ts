import {
  type Hash,
  InvalidTransaction,
  keccak256,
  PeerError,
  RejectedTransaction,
  type Rlp,
  RlpError,
  type Runtime,
  type Transaction,
  toHex,
  Yielder,
} from "@plinth/core";
import { decodeTransaction, openNetworkForm } from "@plinth/core/blocks";
import type { RejectionReason } from "@plinth/core/pool";
import { rlpItems } from "@plinth/core/primitives";
import { bytesOfPooled, rawOfSent, type TransactionAnnouncement } from "../codec/transactions.js";
import type { EthPeer } from "../eth-peer.js";
import type { EthPeers } from "../eth-peers.js";
import { KnownItems } from "../known-items.js";
import { RequestFailed } from "../requests.js";
import { Verdicts } from "./verdicts.js";

const BLOB_TYPE = 3;
const MAX_ANNOUNCED = 4096;
/** Limits for the transactions of one message. */
const MAX_SENT_BYTES = 2 ** 20;
const MAX_REQUESTED = 256;
/** Maximum number of queued hashes per peer; more are dropped. */
const MAX_WAITING = 4 * MAX_ANNOUNCED;
/** Number of recently delivered hashes to remember, of any peer. */
const MAX_DELIVERED = 65_536;

/**
 * Batching window: transactions that arrive within this time after the last message are sent
 * together.
 */
const GATHERED_MS = 20;

/** Number of transactions whose senders are recovered without a pause; they are stored together. */
const SUBMITTED_AT_ONCE = 32;
/** Tolerance for announced sizes. */
const MAX_SIZE_DIFFERENCE = 8;

/** A transaction that is not decoded yet. */
interface SentTransaction {
  readonly hash: Hash;
  readonly raw: Uint8Array;
}

type Announced = Map<Hash, TransactionAnnouncement>;

/** Propagates transactions: in full to some peers, as announcements to the others. */
export class TransactionGossip {
  readonly #runtime: Runtime;
  readonly #peers: EthPeers;
  readonly #random: () => number;
  readonly #delivered = new KnownItems(MAX_DELIVERED);
  /** Hashes being fetched, from any peer. */
  readonly #fetching = new Set<Hash>();
  /** Peers with a request in flight; each has one at a time. */
  readonly #busy = new Set<EthPeer>();
  readonly #waiting = new WeakMap<EthPeer, Announced>();
  #added: Transaction[] = [];
  /** Whether the batching window is open. */
  #isGathering = false;

  constructor(runtime: Runtime, peers: EthPeers, random: () => number = Math.random) {
    this.#runtime = runtime;
    this.#peers = peers;
    this.#random = random;
  }

  /** Announces the whole pool to a new peer. */
  greet(peer: EthPeer): void {
    this.#announce(peer, this.#runtime.pool.all());
  }

  /** Propagates a transaction of the pool: at once, or with those of the batching window. */
  added(transaction: Transaction): void {
    this.#added.push(transaction);
    if (this.#isGathering) return;
    this.#isGathering = true;
    queueMicrotask(() => this.#passOnAdded());
  }

  #passOnAdded(): void {
    this.#isGathering = this.#added.length > 0;
    if (!this.#isGathering) return;
    this.#passOn(this.#added.splice(0));
    this.#runtime.clock.after(GATHERED_MS, () => this.#passOnAdded());
  }

  /** Handles unsolicited transactions, a few at a time, to stop early on invalid ones. */
  async received(peer: EthPeer, payload: Uint8Array): Promise<void> {
    if (this.#runtime.sync.isSyncing) return;
    const turns = new Yielder();
    const verdicts = new Verdicts();
    let part: SentTransaction[] = [];
    for (const item of rlpItems(payload)) {
      part.push(readSent(item));
      if (turns.isDue) await turns.yield();
      if (part.length < SUBMITTED_AT_ONCE) continue;
      await this.#takeSent(peer, part, verdicts);
      part = [];
    }
    await this.#takeSent(peer, part, verdicts);
    if (verdicts.isUseless) peer.peer.report({ outcome: "useless", request: "Transactions" });
  }

  async #takeSent(
    peer: EthPeer,
    part: readonly SentTransaction[],
    verdicts: Verdicts,
  ): Promise<void> {
    const { pool } = this.#runtime;
    for (const { hash } of part) this.#noteDelivery(peer, hash);
    const unknown = part.filter(({ hash }) => pool.find(hash) === undefined);
    const reasons = await Promise.all(unknown.map(({ raw }) => this.#submit(raw)));
    for (const reason of reasons) verdicts.add(reason);
  }

  /** Fetches announced transactions that the pool does not have. */
  announced(peer: EthPeer, announcements: readonly TransactionAnnouncement[]): void {
    const { pool, sync } = this.#runtime;
    if (sync.isSyncing) return;
    const waiting = this.#waitingOf(peer);
    for (const announcement of announcements) {
      const { hash } = announcement;
      const isKnown = this.#delivered.has(hash) || pool.find(hash) !== undefined;
      if (!isKnown && waiting.size < MAX_WAITING) waiting.set(hash, announcement);
    }
    this.#fetchNext(peer);
  }

  #fetchNext(peer: EthPeer): void {
    if (this.#busy.has(peer)) return;
    const waiting = this.#waitingOf(peer);
    const asked: Announced = new Map();
    for (const [hash, announcement] of waiting) {
      if (this.#delivered.has(hash)) waiting.delete(hash);
      // Requested from another peer; this one is the fallback.
      else if (!this.#fetching.has(hash)) asked.set(hash, announcement);
      if (asked.size === MAX_REQUESTED) break;
    }
    if (asked.size === 0) return;
    for (const hash of asked.keys()) {
      waiting.delete(hash);
      this.#fetching.add(hash);
    }
    this.#busy.add(peer);
    this.#runtime.tasks.run("transaction gossip", () => this.#fetch(peer, asked));
  }

  async #fetch(peer: EthPeer, asked: Announced): Promise<void> {
    try {
      const items = await peer.requestTransactions([...asked.keys()]);
      const turns = new Yielder();
      const verdicts = new Verdicts();
      for (let at = 0; at < items.length; at += SUBMITTED_AT_ONCE) {
        const part = items.slice(at, at + SUBMITTED_AT_ONCE);
        await this.#takePooled(
          peer,
          part.map((item) => readDelivered(item, asked)),
          verdicts,
        );
        await turns.yield();
      }
      if (verdicts.isUseless)
        peer.peer.report({ outcome: "useless", request: "PooledTransactions" });
    } catch (error) {
      if (error instanceof PeerError) peer.peer.disconnect(error.reason);
      else if (!(error instanceof RequestFailed)) throw error;
    } finally {
      for (const hash of asked.keys()) this.#fetching.delete(hash);
      this.#busy.delete(peer);
    }
    for (const other of this.#peers.all()) this.#fetchNext(other);
  }

  async #takePooled(
    peer: EthPeer,
    part: readonly { readonly hash: Hash; readonly bytes: Uint8Array }[],
    verdicts: Verdicts,
  ): Promise<void> {
    const reasons = await Promise.all(part.map(({ bytes }) => this.#submit(bytes)));
    for (const { hash } of part) this.#noteDelivery(peer, hash);
    for (const reason of reasons) verdicts.add(reason);
  }

  /**
   * Returns why the pool rejects it, which may be no fault; invalid blobs are a fault of the peer.
   */
  async #submit(raw: Uint8Array): Promise<RejectionReason | undefined> {
    try {
      await this.#runtime.pool.submit(raw, { origin: "remote" });
      return undefined;
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      if (error.reason !== "invalid-blobs") return error.reason;
      throw new PeerError("breach-of-protocol", error.message, error);
    }
  }

  #noteDelivery(peer: EthPeer, hash: Hash): void {
    this.#delivered.add(hash);
    peer.knownTransactions.add(hash);
  }

  #passOn(added: readonly Transaction[]): void {
    const peers = this.#shuffled();
    const inFull = Math.round(Math.sqrt(peers.length));
    for (const [index, peer] of peers.entries()) {
      const unknown = added.filter(({ hash }) => !peer.knownTransactions.has(hash));
      const sent = index < inFull ? unknown.filter(({ type }) => type !== BLOB_TYPE) : [];
      this.#send(peer, sent);
      const rest = new Set(sent);
      this.#announce(
        peer,
        unknown.filter((transaction) => !rest.has(transaction)),
      );
    }
  }

  #send({ peer, codecs, knownTransactions }: EthPeer, all: readonly Transaction[]): void {
    const codec = codecs.transactions;
    for (const part of chunksBySize(all)) {
      for (const { hash } of part) knownTransactions.add(hash);
      peer.send(codec.code, codec.encode(part));
    }
  }

  #announce({ peer, codecs, knownTransactions }: EthPeer, all: readonly Transaction[]): void {
    const unknown = all.filter(({ hash }) => knownTransactions.add(hash));
    for (let at = 0; at < unknown.length; at += MAX_ANNOUNCED) {
      const part = unknown.slice(at, at + MAX_ANNOUNCED).map(({ hash, type, raw }) => ({
        hash,
        type,
        size: this.#runtime.pool.findNetworkForm(hash)?.length ?? raw.length,
      }));
      peer.send(codecs.announcement.code, codecs.announcement.encode(part));
    }
  }

  #waitingOf(peer: EthPeer): Announced {
    const waiting: Announced = this.#waiting.get(peer) ?? new Map();
    this.#waiting.set(peer, waiting);
    return waiting;
  }

  #shuffled(): EthPeer[] {
    const peers = [...this.#peers.all()];
    for (let last = peers.length - 1; last > 0; last--) {
      const other = Math.floor(this.#random() * (last + 1));
      [peers[last], peers[other]] = [peers[other] as EthPeer, peers[last] as EthPeer];
    }
    return peers;
  }
}

/** Parts that fit into a message, with at least one transaction each. */
function* chunksBySize(all: readonly Transaction[]): Generator<readonly Transaction[]> {
  let part: Transaction[] = [];
  let bytes = 0;
  for (const transaction of all) {
    if (part.length > 0 && bytes + transaction.raw.length > MAX_SENT_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(transaction);
    bytes += transaction.raw.length;
  }
  if (part.length > 0) yield part;
}

/**
 * Extracts the bytes of an unsolicited transaction, which the pool decodes; throws if it has blobs.
 */
function readSent(item: Uint8Array): SentTransaction {
  const raw = rawOfSent(item);
  if (raw[0] !== BLOB_TYPE) return { hash: toHex(keccak256(raw)), raw };
  throw new PeerError("breach-of-protocol", "a transaction with blobs may only be announced");
}

/** Decodes a requested transaction; throws `PeerError` if it does not match its announcement. */
function readDelivered(
  item: Rlp,
  asked: Announced,
): { readonly hash: Hash; readonly bytes: Uint8Array } {
  const breach = (problem: string, cause?: unknown) =>
    new PeerError("breach-of-protocol", `PooledTransactions: ${problem}`, cause);
  let bytes: Uint8Array;
  let transaction: Transaction;
  try {
    bytes = bytesOfPooled(item);
    transaction = decodeTransaction(openNetworkForm(bytes).raw);
  } catch (error) {
    if (!(error instanceof RlpError || error instanceof InvalidTransaction)) throw error;
    throw breach(error.message, error);
  }
  const { hash, type } = transaction;
  const announced = asked.get(hash);
  if (announced === undefined) throw breach(`${hash} was not requested`);
  if (announced.type !== undefined && announced.type !== type) {
    throw breach(`${hash} has type ${type}, announced as ${announced.type}`);
  }
  const difference = Math.abs(bytes.length - (announced.size ?? bytes.length));
  if (difference > MAX_SIZE_DIFFERENCE) {
    throw breach(`${hash} has ${bytes.length} bytes, announced as ${announced.size}`);
  }
  return { hash, bytes };
}
