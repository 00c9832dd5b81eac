import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { type Logger, messageOf } from "@plinth/core";
import type { Enode, NodeId, SocketAddress } from "@plinth/core/network";
import type { Discovery } from "./discovery.js";
import { Exchange, type ExchangeSettings } from "./exchange.js";
import { ExpiringMap } from "./expiring-map.js";
import { InvalidPacket, type Message, type Neighbor } from "./messages.js";
import { findEndpoint, readRecord } from "./node-record.js";
import { decodePacket, type Packet } from "./packet.js";
import { isRelayable } from "./relay.js";
import { Table } from "./table.js";

/** Dependencies of discovery. */
export interface DiscoverySettings extends Omit<ExchangeSettings, "counted"> {
  readonly ownId: NodeId;
  readonly log: Logger;
  readonly bootnodes: readonly Enode[];
  /** Whether bootnodes that do not respond are retried later. */
  readonly retriesBootnodes: boolean;
  readonly counted: ExchangeSettings["counted"];
  readonly resolve: (host: string) => Promise<string>;
  readonly isAllowed: (host: string) => boolean;
  readonly isBanned: (id: NodeId) => boolean;
  /** Called when a node has entered the table. */
  readonly found: () => void;
}

const CLOSEST = 16;
const PARALLEL = 3;
const MAX_LOOKUP_ROUNDS = 8;
/** Lookups are frequent after the start, and occasional later. */
const ROUNDS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const LATER_MS = 30_000;
/** Packets above this rate from one address are dropped. */
const MAX_PACKETS = 256;
/**
 * Packets above this total rate are dropped, except from nodes in the table: senders can be
 * spoofed.
 */
const MAX_PACKETS_OF_ALL = 1_024;
const SECOND_MS = 1_000;

/** Finds nodes with discovery v4: sends requests, responds, and remembers proven endpoints. */
export class DiscoveryService implements Discovery {
  readonly #settings: DiscoverySettings;
  readonly #exchange: Exchange;
  readonly #table: Table;
  readonly #packets: ExpiringMap<{ count: number }>;
  /** The packets of the current second. */
  #second = { since: 0, count: 0 };
  #round = 0;
  #cancel = () => {};
  #isRunning = false;

  constructor(settings: DiscoverySettings) {
    this.#settings = settings;
    this.#exchange = new Exchange(settings);
    this.#table = new Table(settings.ownId);
    this.#packets = new ExpiringMap(settings.clock, { lifetimeMs: 1_000, maxSize: 1_000 });
  }

  /** Starts looking for nodes. */
  start(): void {
    this.#isRunning = true;
    this.#schedule(0);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancel();
  }

  candidates(): readonly Enode[] {
    return this.#table.all().map(({ enode }) => enode);
  }

  forget(id: NodeId): void {
    this.#table.remove(id);
  }

  /** Handles a datagram; a malformed one is only logged. */
  async receive(datagram: Uint8Array, from: SocketAddress): Promise<void> {
    if (!this.#settings.isAllowed(from.host) || this.#isFlooding(from.host)) return;
    try {
      const packet = decodePacket(datagram);
      this.#settings.counted("inbound", packet.message.name);
      if (packet.id === this.#settings.ownId || this.#settings.isBanned(packet.id)) return;
      if (this.#isExpired(packet.message)) return;
      await this.#handle(packet, from);
    } catch (error) {
      const { log } = this.#settings;
      if (error instanceof InvalidPacket)
        log.trace(`a packet of ${from.host} was dropped: ${error.message}`);
      else log.error(`discovery failed to handle a packet: ${messageOf(error)}`, { error });
    }
  }

  async #handle(packet: Packet, from: SocketAddress): Promise<void> {
    const { id, hash, publicKey, message } = packet;
    switch (message.name) {
      case "Ping":
        return this.#answerPing(packet, from, message.from?.tcp ?? 0);
      case "Pong": {
        const enode = await this.#exchange.receivePong(id, message.pingHash, from);
        if (enode !== undefined) await this.#bonded(enode, message.enrSeq !== undefined);
        return;
      }
      case "FindNode": {
        const node = this.#enodeOf(id, from, 0);
        if (!this.#exchange.isBonded(node)) return;
        if ((await this.#settings.discover({ node, direction: "inbound" })) !== undefined) return;
        return this.#exchange.neighbors(from, this.#nodesFor(message.target, from));
      }
      case "Neighbors":
        return this.#exchange.receiveNeighbors(id, from, message.nodes);
      case "ENRRequest":
        return this.#exchange.answerRecordRequest(id, from, hash);
      case "ENRResponse": {
        if (!this.#exchange.takeRecordRequest(id, message.requestHash)) return;
        return this.#learn(id, findEndpoint(readRecord(message.record, publicKey))?.tcp ?? 0);
      }
    }
  }

  async #answerPing({ id, hash }: Packet, from: SocketAddress, tcp: number): Promise<void> {
    // The source address of a packet is trusted; its claims about the sender are not, except for
    // the TCP port.
    const node = this.#enodeOf(id, from, tcp);
    if ((await this.#settings.discover({ node, direction: "inbound" })) !== undefined) return;
    await this.#exchange.pong(from, hash, tcp);
    if (!this.#exchange.isBonded(node)) {
      // Its response is not awaited, but an error must not become an unhandled rejection.
      this.#exchange.ping(node).catch((error) => this.#settings.log.debug(messageOf(error)));
    } else if (this.#table.find(id) === undefined) await this.#bonded(node, false);
  }

  async #bonded(enode: Enode, hasRecord: boolean): Promise<void> {
    const isNew = this.#table.find(enode.id) === undefined;
    if (!this.#table.add(enode, this.#settings.clock.now()) || !isNew) return;
    this.#settings.found();
    if (hasRecord) await this.#exchange.requestRecord(enode);
  }

  /** The TCP port of a record is signed by the node, and newer than the one in a Ping. */
  #learn(id: NodeId, tcpPort: number): void {
    const known = this.#table.find(id);
    if (known === undefined || tcpPort === 0 || known.enode.tcpPort === tcpPort) return;
    this.#table.add({ ...known.enode, tcpPort }, this.#settings.clock.now());
    this.#settings.found();
  }

  #enodeOf(id: NodeId, from: SocketAddress, tcp: number): Enode {
    const known = this.#table.find(id)?.enode.tcpPort;
    const tcpPort = tcp !== 0 ? tcp : (known ?? from.port);
    return { id, host: from.host, tcpPort, udpPort: from.port };
  }

  #nodesFor(target: Uint8Array, asker: SocketAddress): readonly Neighbor[] {
    return this.#table
      .closest(target, CLOSEST)
      .map(({ enode }) => ({
        id: enode.id,
        ip: enode.host,
        udp: enode.udpPort,
        tcp: enode.tcpPort,
      }))
      .filter(({ ip }) => isRelayable(ip, asker.host));
  }

  #schedule(ms: number): void {
    this.#cancel = this.#settings.clock.after(ms, () => {
      void this.#look()
        .catch((error) => {
          this.#settings.log.error(`node lookup failed: ${messageOf(error)}`, { error });
        })
        .finally(() => {
          if (this.#isRunning) this.#schedule(ROUNDS_MS[this.#round] ?? LATER_MS);
          this.#round += 1;
        });
    });
  }

  /** One round: bootnodes that are missing, the node that was silent longest, and a lookup. */
  async #look(): Promise<void> {
    const { bootnodes, retriesBootnodes } = this.#settings;
    const isEarly = this.#round <= ROUNDS_MS.length;
    if (isEarly || retriesBootnodes) {
      await Promise.all(bootnodes.map((enode) => this.#pingBootnode(enode)));
    }
    const [oldest] = [...this.#table.all()].sort((a, b) => a.seenAt - b.seenAt);
    if (oldest !== undefined && this.#round > ROUNDS_MS.length) {
      if (!(await this.#exchange.ping(oldest.enode))) this.#table.failed(oldest.enode.id);
      else oldest.seenAt = this.#settings.clock.now();
    }
    const isForSelf = this.#round % 2 === 0;
    const own = Buffer.from(this.#settings.ownId.slice(2), "hex");
    await this.#lookUp(isForSelf ? own : randomBytes(64));
  }

  async #pingBootnode(enode: Enode): Promise<void> {
    if (enode.id === this.#settings.ownId || this.#table.find(enode.id) !== undefined) return;
    try {
      const host = await this.#settings.resolve(enode.host);
      if (this.#settings.isAllowed(host)) await this.#exchange.ping({ ...enode, host });
    } catch (error) {
      this.#settings.log.debug(`the bootnode ${enode.host} does not resolve: ${messageOf(error)}`);
    }
  }

  /** Asks the closest nodes for closer ones, until there are none. */
  async #lookUp(target: Uint8Array): Promise<void> {
    const asked = new Set<NodeId>();
    for (let round = 0; round < MAX_LOOKUP_ROUNDS && this.#isRunning; round++) {
      const next = this.#table
        .closest(target, CLOSEST)
        .filter(({ enode }) => !asked.has(enode.id))
        .slice(0, PARALLEL);
      if (next.length === 0) return;
      await Promise.all(
        next.map(async ({ enode }) => {
          asked.add(enode.id);
          if (
            (await this.#settings.discover({ node: enode, direction: "outbound" })) !== undefined
          ) {
            this.#table.remove(enode.id);
            return;
          }
          const nodes = await this.#exchange.findNodes(enode, target);
          await Promise.all(nodes.map((node) => this.#meet(node, enode.host)));
        }),
      );
    }
  }

  /** Pings a node that another one named. */
  async #meet({ id, ip, udp, tcp }: Neighbor, relay: string): Promise<void> {
    const { ownId, isAllowed, isBanned } = this.#settings;
    const isStrange = udp === 0 || !isRelayable(ip, relay) || !isAllowed(ip);
    if (id === ownId || isStrange || isBanned(id) || this.#table.find(id) !== undefined) return;
    await this.#exchange.ping({ id, host: ip, tcpPort: tcp, udpPort: udp });
  }

  #isExpired(message: Message): boolean {
    if (message.name === "ENRResponse") return false;
    // Expiration is a signed number for other nodes: with the sign bit set it is before 1970.
    const seconds = BigInt.asIntN(64, message.expiration);
    return seconds < BigInt(Math.floor(this.#settings.clock.now() / 1000));
  }

  #isFlooding(host: string): boolean {
    if (isIP(host) === 0 || this.#isFlooded(host)) return true;
    const known = this.#packets.get(host);
    if (known === undefined) this.#packets.set(host, { count: 1 });
    else known.count += 1;
    return (known?.count ?? 1) > MAX_PACKETS;
  }

  #isFlooded(host: string): boolean {
    const now = this.#settings.clock.now();
    if (now - this.#second.since >= SECOND_MS) this.#second = { since: now, count: 0 };
    this.#second.count += 1;
    if (this.#second.count <= MAX_PACKETS_OF_ALL) return false;
    return !this.#table.all().some(({ enode }) => enode.host === host);
  }
}
