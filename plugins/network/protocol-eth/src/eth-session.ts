import {
  InvalidTransaction,
  PeerError,
  type ProtocolPeer,
  type ProtocolSession,
  toQuantity,
  Yielder,
  ZERO_HASH,
} from "@plinth/core";
import type { PeerEnd } from "@plinth/core/network";
import { type ForkPoints, readForkPoints } from "@plinth/core/rules";
import { openNewBlock } from "./codec/blocks.js";
import { STATUS, type Status } from "./codec/status.js";
import { EthPeer } from "./eth-peer.js";
import { maxBlockBytes } from "./gossip/possible-blocks.js";
import {
  awaitStatus,
  type ChainIdentity,
  createStatus,
  verifyHead,
  verifyStatus,
} from "./handshake.js";
import { verifyMessageBytes } from "./message-limits.js";
import { verifyRequiredBlocks } from "./required-blocks.js";
import { collectBodies, collectHeaders, collectReceipts } from "./serve/serve-blocks.js";
import { collectTransactions } from "./serve/serve-transactions.js";
import type { SessionContext } from "./session-context.js";

type Handler = (payload: Uint8Array) => void | Promise<void>;

/** The eth protocol on one connection: status first, then requests, responses and gossip. */
export class EthSession implements ProtocolSession {
  readonly opened: Promise<void>;
  readonly #peer: EthPeer;
  readonly #context: SessionContext;
  readonly #points: ForkPoints;
  /** The codes of messages that are accepted only as responses. */
  readonly #answers: ReadonlySet<number>;
  readonly #handlers: ReadonlyMap<number, Handler>;
  #status: Status | undefined;
  #open: { resolve(): void; reject(error: unknown): void } = { resolve() {}, reject() {} };
  readonly #stopWaiting: () => void;
  readonly #turns = new Yielder();

  constructor(peer: ProtocolPeer, context: SessionContext) {
    const { chain, clock } = context.runtime;
    this.#context = context;
    this.#peer = new EthPeer(peer, { seal: (header) => chain.blocks.seal(header), clock });
    this.#points = readForkPoints(chain.genesis);
    const { blockHeaders, blockBodies, pooledTransactions, receipts, nodeData } = this.#peer.codecs;
    const answers = [blockHeaders, blockBodies, pooledTransactions, receipts];
    this.#answers = new Set([...answers, ...(nodeData ? [nodeData] : [])].map(({ code }) => code));
    this.#handlers = this.#createHandlers();
    this.opened = new Promise((resolve, reject) => {
      this.#open = { resolve, reject };
    });
    this.#stopWaiting = awaitStatus(clock, (error) => this.#open.reject(error));
    this.#send(this.#peer.codecs.status, createStatus(this.#peer.version, this.#identity()));
  }

  takes(code: number, bytes: number): boolean {
    const { requests, codecs, version } = this.#peer;
    if (!this.#handlers.has(code)) {
      throw new PeerError("breach-of-protocol", `eth/${version} has no message ${code}`);
    }
    // The gas limit of the chain may be higher by now than at the head of this node.
    if (code === codecs.newBlock.code) return bytes <= this.#maxBlockBytes();
    verifyMessageBytes(code, bytes);
    return !this.#answers.has(code) || requests.awaits(code);
  }

  async received(code: number, payload: Uint8Array): Promise<void> {
    const handle = this.#handlers.get(code);
    if (!this.takes(code, payload.length) || handle === undefined) return;
    if (this.#status === undefined && code !== STATUS) {
      throw new PeerError("breach-of-protocol", `message ${code} came before the status`);
    }
    // Responses to many small requests must not keep others waiting.
    await this.#turns.yield();
    try {
      await handle(payload);
    } catch (error) {
      if (!(error instanceof InvalidTransaction)) throw error;
      throw new PeerError("breach-of-protocol", error.message, error);
    }
  }

  /** The possible gas limit of a block on the head. */
  #maxBlockBytes(): number {
    return maxBlockBytes(this.#context.runtime.chain.blocks.head());
  }

  ended(_end: PeerEnd): void {
    this.#stopWaiting();
    this.#open.resolve();
    this.#context.ended(this.#peer);
  }

  describe() {
    const { head } = this.#peer;
    if (head === undefined) return undefined;
    const { hash } = head;
    // From eth/69 on peers do not report it; it is known if this node has the block.
    const difficulty =
      head.totalDifficulty ?? this.#context.runtime.chain.blocks.findTotalDifficulty(hash);
    return { difficulty: difficulty === undefined ? null : toQuantity(difficulty), head: hash };
  }

  #createHandlers(): ReadonlyMap<number, Handler> {
    const { codecs } = this.#peer;
    const { runtime, blockGossip, transactionGossip, limits } = this.#context;
    const { pool } = runtime;
    const { blocks } = runtime.chain;
    const peer = this.#peer;
    return new Map<number, Handler>([
      [codecs.status.code, (payload) => this.#greeted(codecs.status.decode(payload))],
      ...[...this.#answers].map((code): [number, Handler] => [
        code,
        (payload) => peer.requests.received(code, payload),
      ]),
      this.#serve(codecs.getBlockHeaders, codecs.blockHeaders, (request) =>
        collectHeaders(blocks, request, limits.headers),
      ),
      this.#serve(codecs.getBlockBodies, codecs.blockBodies, (hashes) =>
        collectBodies(blocks, hashes.slice(0, limits.bodies)),
      ),
      this.#serve(codecs.getReceipts, codecs.receipts, (hashes) =>
        collectReceipts(blocks, hashes.slice(0, limits.receipts)),
      ),
      this.#serve(codecs.getPooledTransactions, codecs.pooledTransactions, (hashes) =>
        collectTransactions(pool, hashes.slice(0, limits.transactions)),
      ),
      // Trie nodes are not served by hash; an empty response states that.
      ...(codecs.getNodeData && codecs.nodeData
        ? [this.#serve(codecs.getNodeData, codecs.nodeData, () => [])]
        : []),
      [codecs.newBlock.code, (payload) => blockGossip.received(peer, openNewBlock(payload))],
      [
        codecs.newBlockHashes.code,
        (payload) => blockGossip.announced(peer, codecs.newBlockHashes.decode(payload)),
      ],
      [codecs.transactions.code, (payload) => transactionGossip.received(peer, payload)],
      [
        codecs.announcement.code,
        (payload) => transactionGossip.announced(peer, codecs.announcement.decode(payload)),
      ],
      ...(codecs.blockRangeUpdate ? [this.#rangeUpdate(codecs.blockRangeUpdate)] : []),
    ]);
  }

  /**
   * Responds to a request; the next message waits until the peer has read most of the previous
   * responses.
   */
  #serve<Q, A>(
    ask: { readonly code: number; decode(payload: Uint8Array): { id: bigint; body: Q } },
    answer: { readonly code: number; encode(message: { id: bigint; body: A }): Uint8Array },
    collect: (request: Q) => A | Promise<A>,
  ): [number, Handler] {
    return [
      ask.code,
      async (payload) => {
        const { id, body } = ask.decode(payload);
        await this.#peer.peer.drained();
        this.#send(answer, { id, body: await collect(body) });
      },
    ];
  }

  #rangeUpdate(codec: NonNullable<EthPeer["codecs"]["blockRangeUpdate"]>): [number, Handler] {
    return [
      codec.code,
      (payload) => {
        const { earliest, latest, latestHash } = codec.decode(payload);
        if (earliest > latest || latestHash === ZERO_HASH) {
          throw new PeerError("breach-of-protocol", `a range from ${earliest} to ${latest}`);
        }
        this.#peer.setRange(latest, latestHash);
        this.#context.headChanged();
      },
    ];
  }

  #identity(): ChainIdentity {
    const { chain, network } = this.#context.runtime;
    const { blocks } = chain;
    const head = blocks.head();
    return {
      networkId: network.id,
      genesisHash: blocks.findHeader(0n)?.hash ?? ZERO_HASH,
      points: this.#points,
      head,
      totalDifficulty: blocks.findTotalDifficulty(head.hash) ?? 0n,
      earliest: blocks.firstRetained(),
    };
  }

  async #greeted(status: Status): Promise<void> {
    if (this.#status !== undefined) {
      throw new PeerError("breach-of-protocol", "a second status");
    }
    verifyStatus(status, this.#peer.version, this.#identity());
    this.#status = status;
    this.#stopWaiting();
    this.#peer.greeted(status);
    const { requiredBlocks } = this.#context;
    const shown = verifyHead(this.#peer, status);
    if (shown === undefined && requiredBlocks.size === 0) {
      this.#complete();
      return;
    }
    // Not awaited: the responses come through this session.
    Promise.resolve(shown)
      .then(() => verifyRequiredBlocks(this.#peer, requiredBlocks))
      .then(
        () => this.#complete(),
        (error: unknown) => this.#open.reject(error),
      );
  }

  #complete(): void {
    this.#context.opened(this.#peer);
    this.#open.resolve();
  }

  #send<T>(codec: { readonly code: number; encode(message: T): Uint8Array }, message: T): void {
    this.#peer.peer.send(codec.code, codec.encode(message));
  }
}
