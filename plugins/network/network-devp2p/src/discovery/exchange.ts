import { type Clock, toHex } from "@plinth/core";
import type {
  Direction,
  Enode,
  NodeId,
  NodeKey,
  PeerRefusal,
  SocketAddress,
} from "@plinth/core/network";
import { ExpiringMap } from "./expiring-map.js";
import type { Endpoint, Message, MessageName, Neighbor } from "./messages.js";
import type { NodeRecord } from "./node-record.js";
import { encodePacket } from "./packet.js";

/** Timeout of a response. */
const ANSWER_MS = 2_000;
/** Validity of a packet. */
const EXPIRATION_SECONDS = 60n;
/** A proof of an address is valid for a day. */
const BOND = { lifetimeMs: 24 * 3_600_000, maxSize: 5_000 };
const REQUESTS = { lifetimeMs: ANSWER_MS, maxSize: 1_000 };
const HELD = { lifetimeMs: 10_000, maxSize: 1_000 };
/** A full Neighbors packet is followed by another. */
const FULL_NEIGHBORS = 12;
const MAX_NEIGHBORS = 16;

/** Dependencies of the packet exchange. */
export interface ExchangeSettings {
  readonly clock: Clock;
  readonly nodeKey: NodeKey;
  readonly endpoint: Endpoint;
  readonly record: NodeRecord;
  readonly discover: (event: {
    readonly node: Enode;
    readonly direction: Direction;
  }) => Promise<PeerRefusal | undefined>;
  readonly send: (datagram: Uint8Array, to: SocketAddress) => void;
  readonly counted: (direction: Direction, name: MessageName) => void;
}

interface PendingPing {
  readonly enode: Enode;
  readonly answered: (isAlive: boolean) => void;
}

interface PendingFind {
  readonly nodes: Neighbor[];
  readonly finished: () => void;
}

/** Tracks requests and responses and endpoint proofs; unsolicited packets are ignored. */
export class Exchange {
  readonly #settings: ExchangeSettings;
  readonly #bonds: ExpiringMap<true>;
  readonly #pings: ExpiringMap<PendingPing>;
  readonly #pinging = new Map<string, Promise<boolean>>();
  readonly #finds: ExpiringMap<PendingFind>;
  readonly #recordRequests: ExpiringMap<NodeId>;
  readonly #heldRequests: ExpiringMap<Uint8Array>;

  constructor(settings: ExchangeSettings) {
    const { clock } = settings;
    this.#settings = settings;
    this.#bonds = new ExpiringMap(clock, BOND);
    this.#pings = new ExpiringMap(clock, REQUESTS);
    this.#finds = new ExpiringMap(clock, REQUESTS);
    this.#recordRequests = new ExpiringMap(clock, REQUESTS);
    this.#heldRequests = new ExpiringMap(clock, HELD);
  }

  /** Whether a node has proven its endpoint. */
  isBonded({ id, host }: Pick<Enode, "id" | "host">): boolean {
    return this.#bonds.get(`${id}@${host}`) !== undefined;
  }

  /** Pings a node; its Pong proves its endpoint. */
  ping(enode: Enode): Promise<boolean> {
    const key = `${enode.id}@${enode.host}`;
    const underWay = this.#pinging.get(key);
    if (underWay !== undefined) return underWay;
    if (this.#pinging.size >= REQUESTS.maxSize) return Promise.resolve(false);
    const answer = this.#ping(enode).finally(() => this.#pinging.delete(key));
    this.#pinging.set(key, answer);
    return answer;
  }

  /** Asks a node for others near a target. */
  async findNodes(enode: Enode, target: Uint8Array): Promise<readonly Neighbor[]> {
    const nodes: Neighbor[] = [];
    const { clock } = this.#settings;
    const key = `${enode.id}@${enode.host}`;
    const answered = new Promise<void>((resolve) => {
      const cancel = clock.after(ANSWER_MS, resolve);
      const finished = () => {
        cancel();
        resolve();
      };
      this.#finds.set(key, { nodes, finished });
    });
    await this.#sendTo(enode, { name: "FindNode", target, expiration: this.#expiration() });
    await answered;
    this.#finds.delete(key);
    return nodes;
  }

  /** Responds to a Ping. */
  async pong(from: SocketAddress, hash: Uint8Array, tcp: number): Promise<void> {
    const to = { ip: from.host, udp: from.port, tcp };
    const enrSeq = this.#settings.record.seq;
    await this.#send(from, {
      name: "Pong",
      to,
      pingHash: hash,
      expiration: this.#expiration(),
      enrSeq,
    });
  }

  /** Responds to FindNode, in packets below the size limit of the protocol. */
  async neighbors(to: SocketAddress, nodes: readonly Neighbor[]): Promise<void> {
    const parts = [nodes.slice(0, FULL_NEIGHBORS), nodes.slice(FULL_NEIGHBORS)];
    for (const [index, part] of parts.entries()) {
      if (index > 0 && part.length === 0) continue;
      await this.#send(to, { name: "Neighbors", nodes: part, expiration: this.#expiration() });
    }
  }

  /**
   * Responds to a request for the record of this node: at once, or as soon as the requester has
   * proven its endpoint.
   */
  async answerRecordRequest(id: NodeId, from: SocketAddress, hash: Uint8Array): Promise<void> {
    if (!this.isBonded({ id, host: from.host })) {
      this.#heldRequests.set(`${id}@${from.host}`, hash);
      return;
    }
    const { rlp } = this.#settings.record;
    await this.#send(from, { name: "ENRResponse", requestHash: hash, record: rlp });
  }

  /** Requests the record of a node. */
  async requestRecord(enode: Enode): Promise<void> {
    const hash = await this.#sendTo(enode, { name: "ENRRequest", expiration: this.#expiration() });
    this.#recordRequests.set(toHex(hash), enode.id);
  }

  /** Handles a Pong; returns the node that has proven its endpoint with it, if any. */
  async receivePong(
    id: NodeId,
    pingHash: Uint8Array,
    from: SocketAddress,
  ): Promise<Enode | undefined> {
    const key = toHex(pingHash);
    const pending = this.#pings.get(key);
    if (pending === undefined || pending.enode.id !== id || pending.enode.host !== from.host) {
      return undefined;
    }
    this.#pings.delete(key);
    this.#bonds.set(`${id}@${from.host}`, true);
    pending.answered(true);
    const held = this.#heldRequests.get(`${id}@${from.host}`);
    if (held !== undefined) {
      this.#heldRequests.delete(`${id}@${from.host}`);
      await this.answerRecordRequest(id, from, held);
    }
    return pending.enode;
  }

  /** Handles requested neighbors; others are ignored. */
  receiveNeighbors(id: NodeId, from: SocketAddress, nodes: readonly Neighbor[]): void {
    const pending = this.#finds.get(`${id}@${from.host}`);
    if (pending === undefined) return;
    pending.nodes.push(...nodes.slice(0, MAX_NEIGHBORS - pending.nodes.length));
    if (nodes.length < FULL_NEIGHBORS || pending.nodes.length >= MAX_NEIGHBORS) pending.finished();
  }

  /** Whether a record was requested. */
  takeRecordRequest(id: NodeId, requestHash: Uint8Array): boolean {
    const key = toHex(requestHash);
    const isAsked = this.#recordRequests.get(key) === id;
    if (isAsked) this.#recordRequests.delete(key);
    return isAsked;
  }

  async #ping(enode: Enode): Promise<boolean> {
    const { clock, endpoint, record, discover } = this.#settings;
    if ((await discover({ node: enode, direction: "outbound" })) !== undefined) return false;
    const to = { ip: enode.host, udp: enode.udpPort, tcp: enode.tcpPort };
    const hash = await this.#sendTo(enode, {
      name: "Ping",
      version: 4,
      from: endpoint,
      to,
      expiration: this.#expiration(),
      enrSeq: record.seq,
    });
    return new Promise((resolve) => {
      const cancel = clock.after(ANSWER_MS, () => resolve(false));
      const answered = (isAlive: boolean) => {
        cancel();
        resolve(isAlive);
      };
      this.#pings.set(toHex(hash), { enode, answered });
    });
  }

  #sendTo({ host, udpPort }: Enode, message: Message): Promise<Uint8Array> {
    return this.#send({ host, port: udpPort }, message);
  }

  async #send(to: SocketAddress, message: Message): Promise<Uint8Array> {
    const { nodeKey, send, counted } = this.#settings;
    const { hash, datagram } = await encodePacket(message, (bytes) => nodeKey.sign(toHex(bytes)));
    send(datagram, to);
    counted("outbound", message.name);
    return hash;
  }

  #expiration(): bigint {
    return BigInt(Math.floor(this.#settings.clock.now() / 1000)) + EXPIRATION_SECONDS;
  }
}
