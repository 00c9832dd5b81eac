import {
  type Hash,
  InvalidTransaction,
  PeerError,
  RejectedTransaction,
  type Rlp,
  RlpError,
  type Runtime,
  type Transaction,
} from "@plinth/core";
import { bytesOfPooled, type TransactionAnnouncement } from "../codec/transactions.js";
import type { EthPeer } from "../eth-peer.js";
import type { EthPeers } from "../eth-peers.js";
import { KnownItems } from "../known-items.js";
import { RequestFailed } from "../requests.js";

const BLOB_TYPE = 3;
const MAX_ANNOUNCED = 4096;
/** Transactions of one message. */
const MAX_SENT_BYTES = 2 ** 20;
const MAX_REQUESTED = 256;
/** Hashes that wait to be fetched from one peer; more are dropped. */
const MAX_WAITING = 4 * MAX_ANNOUNCED;
/** Hashes that were delivered lately, by any peer. */
const MAX_DELIVERED = 100_000;

/** Passes transactions on: in full to some peers, as announcements to the others. */
export class TransactionGossip {
  readonly #runtime: Runtime;
  readonly #peers: EthPeers;
  readonly #random: () => number;
  readonly #delivered = new KnownItems(MAX_DELIVERED);
  /** What is being fetched, from whichever peer. */
  readonly #fetching = new Set<Hash>();
  readonly #waiting = new WeakMap<EthPeer, Set<Hash>>();
  #added: Transaction[] = [];

  constructor(runtime: Runtime, peers: EthPeers, random: () => number = Math.random) {
    this.#runtime = runtime;
    this.#peers = peers;
    this.#random = random;
  }

  /** Announces the whole pool to a new peer. */
  greet(peer: EthPeer): void {
    this.#announce(peer, this.#runtime.pool.all());
  }

  /** Passes on a transaction of the pool; those of one turn of the event loop go together. */
  added(transaction: Transaction): void {
    if (this.#added.push(transaction) > 1) return;
    queueMicrotask(() => this.#passOn(this.#added.splice(0)));
  }

  /** Takes transactions that a peer sent unasked. */
  async received(peer: EthPeer, transactions: readonly Transaction[]): Promise<void> {
    if (transactions.some(({ type }) => type === BLOB_TYPE)) {
      throw new PeerError("breach-of-protocol", "a transaction with blobs may only be announced");
    }
    for (const { hash } of transactions) this.#noteDelivery(peer, hash);
    if (this.#runtime.sync.isSyncing) return;
    await Promise.all(transactions.map(({ raw }) => this.#submit(raw)));
  }

  /** Fetches what a peer announced and the pool does not have. */
  announced(peer: EthPeer, announcements: readonly TransactionAnnouncement[]): void {
    const { pool, sync } = this.#runtime;
    if (sync.isSyncing) return;
    const waiting = this.#waitingOf(peer);
    for (const { hash } of announcements) {
      const isKnown = this.#delivered.has(hash) || pool.find(hash) !== undefined;
      if (!isKnown && waiting.size < MAX_WAITING) waiting.add(hash);
    }
    this.#fetchNext(peer);
  }

  #fetchNext(peer: EthPeer): void {
    const waiting = this.#waitingOf(peer);
    const hashes: Hash[] = [];
    for (const hash of waiting) {
      waiting.delete(hash);
      if (this.#delivered.has(hash) || this.#fetching.has(hash)) continue;
      if (hashes.push(hash) === MAX_REQUESTED) break;
    }
    if (hashes.length === 0) return;
    for (const hash of hashes) this.#fetching.add(hash);
    this.#runtime.tasks.run("transaction gossip", () => this.#fetch(peer, hashes));
  }

  async #fetch(peer: EthPeer, hashes: readonly Hash[]): Promise<void> {
    try {
      const items = await peer.requestTransactions(hashes);
      await Promise.all(items.map((item) => this.#takePooled(peer, item, new Set(hashes))));
    } catch (error) {
      if (error instanceof PeerError) peer.peer.disconnect(error.reason);
      else if (!(error instanceof RequestFailed)) throw error;
    } finally {
      for (const hash of hashes) this.#fetching.delete(hash);
    }
    this.#fetchNext(peer);
  }

  async #takePooled(peer: EthPeer, item: Rlp, asked: ReadonlySet<Hash>): Promise<void> {
    let transaction: Transaction | undefined;
    try {
      transaction = await this.#submit(bytesOfPooled(item));
    } catch (error) {
      if (!(error instanceof RlpError || error instanceof InvalidTransaction)) throw error;
      throw new PeerError("breach-of-protocol", `PooledTransactions: ${error.message}`, error);
    }
    if (transaction === undefined) return;
    this.#noteDelivery(peer, transaction.hash);
    if (!asked.has(transaction.hash)) {
      throw new PeerError("breach-of-protocol", "PooledTransactions: one that was not asked for");
    }
  }

  /** Answers `undefined` where the pool does not want it, which is nobody's fault. */
  async #submit(raw: Uint8Array): Promise<Transaction | undefined> {
    try {
      return await this.#runtime.pool.submit(raw, { origin: "remote" });
    } catch (error) {
      if (error instanceof RejectedTransaction) return undefined;
      throw error;
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

  #waitingOf(peer: EthPeer): Set<Hash> {
    const waiting = this.#waiting.get(peer) ?? new Set();
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

/** Parts that fit into a message; one transaction at least. */
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
