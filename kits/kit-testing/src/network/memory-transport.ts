import {
  type DisconnectReason,
  type Enode,
  isSameEnode,
  type LocalNode,
  type NetworkHost,
  type NetworkTransport,
} from "@plinth/core/network";
import type { MemoryLinkEnd } from "./memory-link.js";

/** The network of a node, as the node sees it. */
export interface MemoryMedium {
  readonly maxPeers: number;
  readonly random: () => number;
  names(): readonly string[];
  find(name: string): MemoryTransport | undefined;
  isReachable(one: string, other: string): boolean;
  delayMs(): number;
  link(dialler: MemoryTransport, listener: MemoryTransport): DisconnectReason | undefined;
  sweep(): void;
}

/** The dependencies of one node on a network in memory. */
export interface MemoryTransportSettings {
  readonly name: string;
  readonly host: NetworkHost;
  readonly enode: Enode;
  readonly network: MemoryMedium;
  readonly joined: (node: MemoryTransport) => void;
  readonly left: () => void;
}

/** How often a node searches for peers. */
const ROUND_MS = 1_000;
const MAX_BACK_OFF_MS = 60_000;

/** One node on a network in memory: dials the others, at random, until it has enough peers. */
export class MemoryTransport implements NetworkTransport {
  readonly name: string;
  readonly host: NetworkHost;
  readonly enode: Enode;
  readonly allowsNames = false;
  readonly #settings: MemoryTransportSettings;
  readonly #static: Enode[] = [];
  readonly #attempts = new Map<string, { failures: number; notBefore: number }>();
  #links = new Set<MemoryLinkEnd>();
  #isRunning = false;
  #cancelRound = () => {};

  constructor(settings: MemoryTransportSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.host = settings.host;
    this.enode = settings.enode;
  }

  get localNode(): LocalNode | undefined {
    const { host, tcpPort } = this.enode;
    return this.#isRunning ? { enode: this.enode, listening: { host, port: tcpPort } } : undefined;
  }

  get maxPeers(): number {
    return this.#settings.network.maxPeers;
  }

  async start(): Promise<void> {
    this.#isRunning = true;
    this.#settings.joined(this);
    this.#nextRound();
  }

  async stop(): Promise<void> {
    this.halt();
    this.#settings.left();
  }

  /** Stops without notifying the others. */
  halt(): void {
    this.#isRunning = false;
    this.#cancelRound();
  }

  addStaticPeer(enode: Enode): boolean {
    if (enode.id === this.enode.id) return false;
    if (this.#static.some((known) => isSameEnode(known, enode))) return false;
    this.#static.push(enode);
    return true;
  }

  removeStaticPeer(enode: Enode): boolean {
    const index = this.#static.findIndex((known) => isSameEnode(known, enode));
    if (index < 0) return false;
    this.#static.splice(index, 1);
    for (const link of this.#links) if (link.id === enode.id) this.#close(link, "requested");
    return true;
  }

  /** Accepts one end of a new connection; returns why it does not. */
  accept(link: MemoryLinkEnd): DisconnectReason | undefined {
    this.#forgetClosed();
    const isStatic = this.#static.some(({ id }) => id === link.id);
    if (!isStatic && this.#links.size >= this.maxPeers) return "too-many-peers";
    const receiver = this.host.connected(link);
    if (typeof receiver === "string") return receiver;
    link.receiver = receiver;
    this.#links.add(link);
    return undefined;
  }

  #close(link: MemoryLinkEnd, reason: DisconnectReason): void {
    link.receiver?.ended({ reason, byPeer: false });
    link.close(reason);
  }

  #forgetClosed(): void {
    for (const link of this.#links) if (link.isClosed) this.#links.delete(link);
    this.#settings.network.sweep();
  }

  #nextRound(): void {
    const { clock } = this.host;
    // Nodes that start together do not all dial at the same moment.
    const ms = 1 + Math.floor(this.#settings.network.random() * ROUND_MS);
    this.#cancelRound = clock.after(ms, () => {
      void this.#dialAll().finally(() => {
        if (this.#isRunning) this.#nextRound();
      });
    });
  }

  async #dialAll(): Promise<void> {
    const { network } = this.#settings;
    this.#forgetClosed();
    const others = network
      .names()
      .filter((name) => name !== this.name)
      .map((name) => ({ name, rank: network.random() }))
      .sort((a, b) => a.rank - b.rank);
    for (const { name } of others) {
      const other = network.find(name);
      if (!this.#isRunning || other === undefined) continue;
      const isStatic = this.#static.some(({ id }) => id === other.enode.id);
      if (!isStatic && this.#links.size >= this.maxPeers) continue;
      if (this.host.isConnected(other.enode.id) || !this.#isDue(name)) continue;
      this.#note(name, await this.#dial(other));
    }
  }

  #isDue(name: string): boolean {
    return (this.#attempts.get(name)?.notBefore ?? 0) <= this.host.clock.now();
  }

  /** A node that did not respond is dialed again after 1, 2, 4, … at most 60 s. */
  #note(name: string, isConnected: boolean): void {
    if (isConnected) return void this.#attempts.delete(name);
    const failures = (this.#attempts.get(name)?.failures ?? 0) + 1;
    const pause = Math.min(MAX_BACK_OFF_MS, 1000 * 2 ** (failures - 1));
    this.#attempts.set(name, { failures, notBefore: this.host.clock.now() + pause });
  }

  async #dial(other: MemoryTransport): Promise<boolean> {
    const { network } = this.#settings;
    const { id } = other.enode;
    const outgoing = { peer: { id, enode: other.enode }, direction: "outbound" } as const;
    if ((await this.host.connect(outgoing)) !== undefined) return false;
    await this.host.clock.sleep(network.delayMs());
    const incoming = {
      peer: { id: this.enode.id, enode: this.enode },
      direction: "inbound",
    } as const;
    if (!this.#canReach(other)) return false;
    if ((await other.host.connect(incoming)) !== undefined) return false;
    // Plugins may have taken a while: the other node may be gone.
    return this.#canReach(other) && network.link(this, other) === undefined;
  }

  #canReach(other: MemoryTransport): boolean {
    const { network } = this.#settings;
    return (
      this.#isRunning &&
      network.find(other.name) === other &&
      network.isReachable(this.name, other.name)
    );
  }
}
