import {
  type Clock,
  type Hash,
  type Header,
  PeerError,
  type ProtocolPeer,
  type ProtocolSession,
  type SealedHeader,
} from "@plinth/core";
import type { PeerEnd } from "@plinth/core/network";
import { readForkPoints } from "@plinth/core/rules";
import { openNewBlock } from "./codec/blocks.js";
import { STATUS, type Status } from "./codec/status.js";
import { EthPeer } from "./eth-peer.js";
import type { EthPeers } from "./eth-peers.js";
import {
  awaitStatus,
  type ChainIdentity,
  createStatus,
  verifyHead,
  verifyStatus,
} from "./handshake.js";
import { verifyMessageBytes } from "./message-limits.js";
import { collectHeaders } from "./serve/serve-blocks.js";

/** Maximum size of an announced block, of which the header is read. */
const MAX_BLOCK_BYTES = 10 * 2 ** 20;

/** A node that has block 0 only, and the peers that it finds. */
export interface JoiningNode {
  readonly networkId: bigint;
  readonly genesis: { readonly json: object; readonly header: SealedHeader };
  readonly clock: Clock;
  readonly peers: EthPeers;
  seal(header: Header): SealedHeader;
}

type Handler = (payload: Uint8Array) => void | Promise<void>;

/**
 * The eth protocol of a node that has no chain yet: it requests, follows the heads of its peers,
 * and has nothing to serve but block 0.
 */
export class JoiningSession implements ProtocolSession {
  readonly opened: Promise<void>;
  readonly #peer: EthPeer;
  readonly #node: JoiningNode;
  readonly #identity: ChainIdentity;
  readonly #responses: ReadonlySet<number>;
  readonly #handlers: ReadonlyMap<number, Handler>;
  /** Messages about transactions, which a node without a state cannot verify. */
  readonly #unused: ReadonlySet<number>;
  readonly #stopWaiting: () => void;
  #isGreeted = false;
  #open: { resolve(): void; reject(error: unknown): void } = { resolve() {}, reject() {} };

  constructor(peer: ProtocolPeer, node: JoiningNode) {
    this.#node = node;
    this.#peer = new EthPeer(peer, node);
    this.#identity = identityOf(node);
    const { codecs, version } = this.#peer;
    const { blockHeaders, blockBodies, receipts } = codecs;
    this.#responses = new Set([blockHeaders, blockBodies, receipts].map(({ code }) => code));
    const { transactions, announcement, pooledTransactions, nodeData } = codecs;
    const unused = [
      transactions,
      announcement,
      pooledTransactions,
      ...(nodeData ? [nodeData] : []),
    ];
    this.#unused = new Set(unused.map(({ code }) => code));
    this.#handlers = this.#createHandlers();
    this.opened = new Promise((resolve, reject) => {
      this.#open = { resolve, reject };
    });
    this.#stopWaiting = awaitStatus(node.clock, (error) => this.#open.reject(error));
    peer.send(codecs.status.code, codecs.status.encode(createStatus(version, this.#identity)));
  }

  takes(code: number, bytes: number): boolean {
    const { requests, codecs, version } = this.#peer;
    if (this.#unused.has(code)) return false;
    if (!this.#handlers.has(code)) {
      throw new PeerError("breach-of-protocol", `eth/${version} has no message ${code}`);
    }
    if (code === codecs.newBlock.code) return bytes <= MAX_BLOCK_BYTES;
    verifyMessageBytes(code, bytes);
    return !this.#responses.has(code) || requests.awaits(code);
  }

  async received(code: number, payload: Uint8Array): Promise<void> {
    if (!this.takes(code, payload.length)) return;
    if (!this.#isGreeted && code !== STATUS) {
      throw new PeerError("breach-of-protocol", `message ${code} came before the status`);
    }
    await this.#handlers.get(code)?.(payload);
  }

  ended(_end: PeerEnd): void {
    this.#stopWaiting();
    this.#open.resolve();
    this.#node.peers.remove(this.#peer);
  }

  #createHandlers(): ReadonlyMap<number, Handler> {
    const { codecs, requests } = this.#peer;
    const { newBlock, newBlockHashes, blockRangeUpdate } = codecs;
    return new Map<number, Handler>([
      [codecs.status.code, (payload) => this.#greeted(codecs.status.decode(payload))],
      ...[...this.#responses].map((code): [number, Handler] => [
        code,
        (payload) => requests.received(code, payload),
      ]),
      this.#serve(codecs.getBlockHeaders, codecs.blockHeaders, (request) =>
        collectHeaders({ findHeader: (id) => this.#findHeader(id) }, request, 1),
      ),
      this.#serve(codecs.getBlockBodies, codecs.blockBodies, () => []),
      this.#serve(codecs.getReceipts, codecs.receipts, () => []),
      this.#serve(codecs.getPooledTransactions, codecs.pooledTransactions, () => []),
      ...(codecs.getNodeData && codecs.nodeData
        ? [this.#serve(codecs.getNodeData, codecs.nodeData, () => [])]
        : []),
      [newBlock.code, (payload) => this.#announced(this.#node.seal(openNewBlock(payload).header))],
      [
        newBlockHashes.code,
        (payload) => {
          for (const block of newBlockHashes.decode(payload)) this.#announced(block);
        },
      ],
      ...(blockRangeUpdate
        ? [
            [
              blockRangeUpdate.code,
              (payload: Uint8Array) => {
                const { latest, latestHash } = blockRangeUpdate.decode(payload);
                this.#announced({ number: latest, hash: latestHash });
              },
            ] as const,
          ]
        : []),
    ]);
  }

  #serve<Q, A>(
    ask: { readonly code: number; decode(payload: Uint8Array): { id: bigint; body: Q } },
    response: { readonly code: number; encode(message: { id: bigint; body: A }): Uint8Array },
    collect: (request: Q) => A,
  ): [number, Handler] {
    return [
      ask.code,
      async (payload) => {
        const { id, body } = ask.decode(payload);
        await this.#peer.peer.drained();
        this.#peer.peer.send(response.code, response.encode({ id, body: collect(body) }));
      },
    ];
  }

  #greeted(status: Status): void {
    if (this.#isGreeted) throw new PeerError("breach-of-protocol", "a second status");
    verifyStatus(status, this.#peer.version, this.#identity);
    this.#isGreeted = true;
    this.#stopWaiting();
    this.#peer.greeted(status);
    // Not awaited: the response comes through this session.
    Promise.resolve(verifyHead(this.#peer, status)).then(
      () => {
        this.#node.peers.add(this.#peer);
        this.#open.resolve();
      },
      (error: unknown) => this.#open.reject(error),
    );
  }

  #announced({ number, hash }: { readonly number: bigint; readonly hash: Hash }): void {
    this.#peer.hasBlock({ hash, number, totalDifficulty: undefined });
    this.#node.peers.changed();
  }

  #findHeader(id: unknown): SealedHeader | undefined {
    const { header } = this.#node.genesis;
    return id === 0n || id === header.hash ? header : undefined;
  }
}

function identityOf({ networkId, genesis: { json, header } }: JoiningNode): ChainIdentity {
  return {
    networkId,
    genesisHash: header.hash,
    points: readForkPoints(json),
    head: header,
    totalDifficulty: header.difficulty,
    earliest: 0n,
  };
}
