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

/** What the nodes of a network in memory meet with. */
export interface MemoryNetworkSettings {
  readonly clock: Clock;
  /** The same seed gives the same delays, losses and dials. */
  readonly seed?: number;
  /** How long every message takes; 1 ms when left out. */
  readonly delayMs?: number;
  /** How much longer a message may take, at random. */
  readonly jitterMs?: number;
  /** The share of messages that are lost, from 0 to 1; harsher than TCP, which would send them again. */
  readonly loss?: number;
  /** How many peers each node connects with. */
  readonly maxPeers?: number;
}

/** A connection between two nodes that do not reach each other ends after this time. */
const SILENCE_MS = 30_000;

interface Link {
  readonly names: readonly [string, string];
  readonly ends: readonly [MemoryLinkEnd, MemoryLinkEnd];
  silentSince: number | undefined;
}

/**
 * Connects nodes of one process without sockets, under a clock that a test moves.
 *
 * Every node finds every other. Nodes are known by the names that the test gives them.
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
   * A plugin that puts a node on this network; start the node with `networkDriver: "memory"`.
   *
   * The id of the node is that of its key, or made from its name where it has none.
   */
  plugin(name: string): Plugin {
    return definePlugin({
      name: "network-memory",
      setup: (node) =>
        node.network.driver({ name: "memory", open: async (host) => this.#open(name, host) }),
    });
  }

  /** The nodes that run, with their connections. */
  names(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  /** The running node of that name. */
  find(name: string): MemoryTransport | undefined {
    return this.#nodes.get(name);
  }

  /** The pairs of names that are connected, in no particular order. */
  connections(): readonly (readonly [string, string])[] {
    return [...this.#links].map(({ names }) => names);
  }

  /** Cuts the network: nodes reach only those of their own group; nodes in no group reach none. */
  partition(...groups: readonly (readonly string[])[]): void {
    this.#groups = new Map(
      groups.flatMap((names, index) => names.map((name) => [name, index] as const)),
    );
    for (const name of this.#nodes.keys()) if (!this.#groups.has(name)) this.#groups.set(name, -1);
    for (const link of this.#links) this.#watchSilence(link);
  }

  /** Ends a partition: what waits is delivered, and nodes dial each other again. */
  heal(): void {
    this.#groups.clear();
    for (const { ends } of this.#links) for (const end of ends) end.deliver();
  }

  /** Takes a node off the network as if its process had been killed: its peers notice, it does not. */
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

  /** Whether two nodes reach each other now. */
  isReachable(one: string, other: string): boolean {
    if (!this.#nodes.has(one) || !this.#nodes.has(other)) return false;
    if (this.#groups.size === 0) return true;
    const group = this.#groups.get(one);
    return group !== -1 && group === this.#groups.get(other);
  }

  /** How long the next message takes. */
  delayMs(): number {
    const { delayMs = 1, jitterMs = 0 } = this.#settings;
    return delayMs + Math.floor(this.random() * (jitterMs + 1));
  }

  /** Connects two nodes that have agreed to it; answers why not, as a remote node would. */
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

  /** Forgets connections that have ended. */
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
