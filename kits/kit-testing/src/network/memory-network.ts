import { createHash } from "node:crypto";
import { type Clock, definePlugin, type Plugin, toHex } from "@plinth/core";
import {
  agreeProtocols,
  type DisconnectReason,
  type NetworkHost,
  type NodeId,
} from "@plinth/core/network";
import { createRandom } from "../seeded-random.js";
import { type LinkConditions, MemoryLinkEnd } from "./memory-link.js";
import { type MemoryMedium, MemoryTransport } from "./memory-transport.js";

/** The conditions of a network in memory. */
export interface MemoryNetworkSettings {
  readonly clock: Clock;
  /** The same seed gives the same delays, losses and dials. */
  readonly seed?: number;
  /** The delay of every message; 1 ms by default. */
  readonly delayMs?: number;
  /** Maximum random additional delay of a message. */
  readonly jitterMs?: number;
  /** The share of lost messages, from 0 to 1; harsher than TCP, which would resend them. */
  readonly loss?: number;
  /** Maximum number of peers of each node. */
  readonly maxPeers?: number;
}

/** A connection between two nodes that cannot reach each other ends after this time. */
const SILENCE_MS = 30_000;

interface Link {
  readonly names: readonly [string, string];
  readonly ends: readonly [MemoryLinkEnd, MemoryLinkEnd];
  silentSince: number | undefined;
}

/**
 * Connects nodes of one process without sockets, under a clock controlled by the test.
 *
 * Every node discovers every other. Nodes are identified by the names that the test assigns.
 */
export class MemoryNetwork implements MemoryMedium {
  readonly clock: Clock;
  readonly maxPeers: number;
  readonly random: () => number;
  readonly #settings: MemoryNetworkSettings;
  readonly #nodes = new Map<string, MemoryTransport>();
  readonly #links = new Set<Link>();
  /** The group of each node while the network is partitioned. */
  #groups = new Map<string, number>();
  #nextPort = 30_303;

  constructor(settings: MemoryNetworkSettings) {
    this.#settings = settings;
    this.clock = settings.clock;
    this.maxPeers = settings.maxPeers ?? 25;
    this.random = createRandom(settings.seed ?? 1);
  }

  /**
   * A plugin that connects a node to this network; start the node with `networkDriver: "memory"`.
   *
   * The id of the node is that of its key, or derived from its name if it has none.
   */
  plugin(name: string): Plugin {
    return definePlugin({
      name: "network-memory",
      setup: (node) =>
        node.network.driver({ name: "memory", open: async (host) => this.#open(name, host) }),
    });
  }

  /** The running nodes, with their connections. */
  names(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  /** The running node with that name. */
  find(name: string): MemoryTransport | undefined {
    return this.#nodes.get(name);
  }

  /** The connected pairs of names, in no particular order. */
  connections(): readonly (readonly [string, string])[] {
    return [...this.#links].map(({ names }) => names);
  }

  /**
   * Partitions the network: nodes reach only those of their own group; nodes in no group reach
   * none.
   */
  partition(...groups: readonly (readonly string[])[]): void {
    this.#groups = new Map(
      groups.flatMap((names, index) => names.map((name) => [name, index] as const)),
    );
    for (const name of this.#nodes.keys()) if (!this.#groups.has(name)) this.#groups.set(name, -1);
    for (const link of this.#links) this.#watchSilence(link);
  }

  /** Ends a partition: waiting messages are delivered, and nodes dial each other again. */
  heal(): void {
    this.#groups.clear();
    for (const { ends } of this.#links) for (const end of ends) end.deliver();
  }

  /**
   * Removes a node from the network as if its process had been killed: its peers notice, it does
   * not.
   */
  crash(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#nodes.delete(name);
    node.halt();
    for (const link of [...this.#links].filter(({ names }) => names.includes(name))) {
      this.#links.delete(link);
      const peer = link.names[0] === name ? link.ends[1] : link.ends[0];
      this.clock.after(this.delayMs(), () => peer.end({ reason: "tcp-error", byPeer: true }));
    }
  }

  /** Whether two nodes can currently reach each other. */
  isReachable(one: string, other: string): boolean {
    if (!this.#nodes.has(one) || !this.#nodes.has(other)) return false;
    if (this.#groups.size === 0) return true;
    const group = this.#groups.get(one);
    return group !== -1 && group === this.#groups.get(other);
  }

  /** The delay of the next message. */
  delayMs(): number {
    const { delayMs = 1, jitterMs = 0 } = this.#settings;
    return delayMs + Math.floor(this.random() * (jitterMs + 1));
  }

  /** Connects two nodes that have agreed to it; returns why not, like a remote node. */
  link(dialler: MemoryTransport, listener: MemoryTransport): DisconnectReason | undefined {
    const protocols = agreeProtocols(dialler.host.protocols, listener.host.protocols);
    if (protocols.length === 0) return "useless-peer";
    const names = [dialler.name, listener.name] as const;
    const conditions: LinkConditions = {
      clock: this.clock,
      delayMs: () => this.delayMs(),
      isLost: () => this.random() < (this.#settings.loss ?? 0),
      isReachable: () => this.isReachable(...names),
    };
    const createEnd = (from: MemoryTransport, to: MemoryTransport, isDialler: boolean) =>
      new MemoryLinkEnd({
        conditions,
        direction: isDialler ? "outbound" : "inbound",
        protocols,
        local: from.enode,
        remote: to.enode,
        remoteHost: to.host,
      });
    const ends = [createEnd(dialler, listener, true), createEnd(listener, dialler, false)] as const;
    const [near, far] = ends;
    near.other = far;
    far.other = near;
    const refusal = listener.accept(far) ?? dialler.accept(near);
    if (refusal !== undefined) {
      far.end({ reason: refusal, byPeer: true });
      return refusal;
    }
    this.#links.add({ names, ends, silentSince: undefined });
    return undefined;
  }

  /** Removes connections that have ended. */
  sweep(): void {
    for (const link of this.#links)
      if (link.ends.every((end) => end.isClosed)) this.#links.delete(link);
  }

  #open(name: string, host: NetworkHost): MemoryTransport {
    const id = host.nodeKey === undefined ? idOfName(name) : toHex(host.nodeKey.publicKey);
    const port = this.#nextPort;
    this.#nextPort += 1;
    const enode = { id, host: "127.0.0.1", tcpPort: port, udpPort: port };
    return new MemoryTransport({
      name,
      host,
      enode,
      network: this,
      joined: (node) => void this.#nodes.set(name, node),
      left: () => void this.#nodes.delete(name),
    });
  }

  #watchSilence(link: Link): void {
    const [one, other] = link.names;
    if (this.isReachable(one, other)) return;
    const since = this.clock.now();
    link.silentSince = since;
    this.clock.after(SILENCE_MS, () => {
      if (link.silentSince !== since || this.isReachable(one, other)) return;
      for (const end of link.ends) end.end({ reason: "timeout", byPeer: false });
      this.#links.delete(link);
    });
  }
}

function idOfName(name: string): NodeId {
  return toHex(createHash("sha512").update(name).digest());
}
