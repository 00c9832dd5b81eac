import {
  type Body,
  type Clock,
  type Hash,
  type Header,
  PeerError,
  type ProtocolPeer,
  type Receipt,
  type Rlp,
  type SealedHeader,
  Yielder,
} from "@plinth/core";
import type { HeaderRequest } from "./codec/blocks.js";
import { type Codecs, codecsOf } from "./codec/index.js";
import type { Status } from "./codec/status.js";
import { KnownItems } from "./known-items.js";
import { RequestFailed, type RequestKind, Requests } from "./requests.js";

/** The best known block of a peer. */
export interface PeerHead {
  readonly hash: Hash;
  /** `undefined` until its header is known. */
  readonly number: bigint | undefined;
  /** `undefined` from eth/69 on, which no longer has it. */
  readonly totalDifficulty: bigint | undefined;
}

const MAX_KNOWN_BLOCKS = 300;
const MAX_KNOWN_TRANSACTIONS = 32_768;

/** A peer with the eth protocol: its chain, and the requests to it. */
export class EthPeer {
  readonly peer: ProtocolPeer;
  readonly version: number;
  readonly codecs: Codecs;
  readonly requests: Requests;
  readonly knownBlocks = new KnownItems(MAX_KNOWN_BLOCKS);
  readonly knownTransactions = new KnownItems(MAX_KNOWN_TRANSACTIONS);
  readonly #seal: (header: Header) => SealedHeader;
  #head: PeerHead | undefined;
  /** Whether a request for the header of a known block of the peer is in flight. */
  #isLearning = false;

  constructor(
    peer: ProtocolPeer,
    { seal, clock }: { readonly seal: (header: Header) => SealedHeader; readonly clock: Clock },
  ) {
    this.peer = peer;
    this.version = peer.protocol.version;
    this.codecs = codecsOf(this.version);
    this.requests = new Requests(peer, clock);
    this.#seal = seal;
  }

  get id() {
    return this.peer.id;
  }

  /** `undefined` before its status has arrived. */
  get head(): PeerHead | undefined {
    return this.#head;
  }

  /** Applies a status. */
  greeted({ headHash, totalDifficulty, range }: Status): void {
    this.#head = { hash: headHash, number: range?.latest, totalDifficulty };
  }

  /** Records a block that the peer has; never moves its head back. */
  hasBlock(head: PeerHead): void {
    const known = this.#head;
    const isLower = known?.number !== undefined && (head.number ?? 0n) <= known.number;
    if (isLower && known.hash !== head.hash) return;
    this.#head = {
      ...head,
      totalDifficulty: head.totalDifficulty ?? known?.totalDifficulty,
    };
  }

  /**
   * Requests the header of a block that the peer must have, unless it is known; calls `learned`
   * with the result.
   */
  learnBlock(number: bigint, learned: () => void): void {
    const known = this.#head?.number;
    if (this.#isLearning || known === undefined || known >= number) return;
    this.#isLearning = true;
    const request = { start: number, limit: 1n, skip: 0n, reverse: false };
    this.requestHeaders(request)
      .then(([header]) => {
        // Its total difficulty follows with the next announcement.
        if (header === undefined || header.number <= (this.#head?.number ?? 0n)) return;
        this.#head = { hash: header.hash, number: header.number, totalDifficulty: undefined };
        learned();
      })
      .catch((error: unknown) => {
        if (error instanceof PeerError) this.peer.disconnect(error.reason);
        else if (!(error instanceof RequestFailed)) throw error;
      })
      .finally(() => {
        this.#isLearning = false;
      });
  }

  /** Applies a block range update. */
  setRange(latest: bigint, hash: Hash): void {
    this.#head = { hash, number: latest, totalDifficulty: this.#head?.totalDifficulty };
  }

  /**
   * Requests headers; resolves with all of them or a prefix.
   *
   * Rejects with `RequestFailed` on a timeout or if the response does not match.
   */
  async requestHeaders(request: HeaderRequest): Promise<readonly SealedHeader[]> {
    const { getBlockHeaders, blockHeaders } = this.codecs;
    const headers = await this.#run(
      { ask: getBlockHeaders, response: blockHeaders },
      request,
      Number(request.limit) + 1,
    );
    const turns = new Yielder();
    const sealed: SealedHeader[] = [];
    for (const header of headers) {
      sealed.push(this.#sealOrRefuse(header));
      if (turns.isDue) await turns.yield();
    }
    const problem = findProblem(sealed, request);
    if (problem === undefined) return sealed;
    this.peer.report({ outcome: "useless", request: getBlockHeaders.name });
    throw new RequestFailed(`BlockHeaders: ${problem}`);
  }

  /** Requests bodies; those that the peer does not have are omitted. */
  requestBodies(hashes: readonly Hash[]): Promise<readonly Body[]> {
    const { getBlockBodies, blockBodies } = this.codecs;
    return this.#run({ ask: getBlockBodies, response: blockBodies }, hashes, hashes.length);
  }

  /** Requests the receipts of blocks; those that the peer does not have are omitted. */
  requestReceipts(hashes: readonly Hash[]): Promise<readonly (readonly Receipt[])[]> {
    const { getReceipts, receipts } = this.codecs;
    return this.#run({ ask: getReceipts, response: receipts }, hashes, hashes.length);
  }

  /** Requests transactions of the peer's pool. */
  requestTransactions(hashes: readonly Hash[]): Promise<readonly Rlp[]> {
    const { getPooledTransactions, pooledTransactions } = this.codecs;
    // An empty response is no fault: announced transactions may have been mined since.
    const kind = { ask: getPooledTransactions, response: pooledTransactions };
    return this.requests.run(kind, hashes, hashes.length);
  }

  async #run<Q, A extends readonly unknown[]>(
    kind: RequestKind<Q, A>,
    body: Q,
    most?: number,
  ): Promise<A> {
    const response = await this.requests.run(kind, body, most);
    // An empty response may be valid: another peer may have invented the requested hash.
    if (response.length > 0) this.peer.report({ outcome: "useful", request: kind.ask.name });
    return response;
  }

  #sealOrRefuse(header: Header): SealedHeader {
    try {
      return this.#seal(header);
    } catch (cause) {
      throw new PeerError("breach-of-protocol", `header ${header.number} has no hash`, cause);
    }
  }
}

/** Why a response is invalid; `undefined` if it has the requested headers in order. */
function findProblem(
  headers: readonly SealedHeader[],
  { start, limit, skip, reverse }: HeaderRequest,
): string | undefined {
  const [first] = headers;
  if (first === undefined) return undefined;
  if (BigInt(headers.length) > limit) return `${headers.length} headers, requested ${limit}`;
  const isStart = typeof start === "bigint" ? first.number === start : first.hash === start;
  if (!isStart) return `it starts with ${first.number} (${first.hash}), requested ${start}`;
  const step = (skip + 1n) * (reverse ? -1n : 1n);
  for (const [index, header] of headers.entries()) {
    const number = first.number + step * BigInt(index);
    if (header.number !== number) return `header ${header.number} instead of ${number}`;
    const before = headers[index - 1];
    if (before === undefined || skip > 0n) continue;
    const [child, parent] = reverse ? [before, header] : [header, before];
    if (child.parentHash !== parent.hash)
      return `header ${child.number} does not extend the previous one`;
  }
  return undefined;
}
