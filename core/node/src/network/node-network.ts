import type { Clock, Logger, Network } from "@plinth/core";
import { messageOf, PlinthError } from "@plinth/core";
import type { DecideHook } from "@plinth/core/kernel";
import type {
  DisconnectReason,
  Enode,
  LinkReceiver,
  NetworkDriver,
  NetworkHooks,
  NetworkHost,
  NetworkTransport,
  NodeId,
  PeerEnd,
  PeerLink,
  PeerRefusal,
} from "@plinth/core/network";
import { type Capability, formatCapability } from "@plinth/core/network";
import type { BoundProtocol } from "./bound-protocol.js";
import { type MessageCheck, PeerConnection } from "./peer-connection.js";
import { Reputations } from "./reputation.js";

/** The hooks that a network calls. */
export type UsedHooks = {
  readonly [K in keyof NetworkHooks]: Pick<NetworkHooks[K], "call" | "isUsed">;
};

/** The dependencies of a node's network. */
export interface NodeNetworkSettings {
  readonly id: bigint;
  readonly publicKey: Uint8Array | undefined;
  readonly protocols: readonly Capability[];
  readonly hooks: UsedHooks;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The context of a driver besides what the network itself provides. */
export type DriverContext = Pick<
  NetworkHost,
  "genesis" | "nodeKey" | "clientVersion" | "dataPath" | "log"
> & { readonly protocols: readonly BoundProtocol[] };

/** The connections of a node, whichever driver opens them; none without a driver. */
export class NodeNetwork implements Network {
  readonly id: bigint;
  readonly publicKey: Uint8Array | undefined;
  readonly protocols: readonly Capability[];
  readonly #settings: NodeNetworkSettings;
  readonly #connections = new Map<NodeId, PeerConnection>();
  /** Connections for which `network.connected` was called. */
  readonly #announced = new Set<PeerConnection>();
  readonly #reputations: Reputations;
  #protocols: ReadonlyMap<string, BoundProtocol> = new Map();
  #transport: NetworkTransport | undefined;
  #isStopping = false;

  constructor(settings: NodeNetworkSettings) {
    this.#settings = settings;
    this.id = settings.id;
    this.publicKey = settings.publicKey;
    this.protocols = settings.protocols;
    this.#reputations = new Reputations(settings.clock);
  }

  get isEnabled(): boolean {
    return this.#transport !== undefined;
  }

  get maxPeers(): number {
    return this.#transport?.maxPeers ?? 0;
  }

  get allowsNames(): boolean {
    return this.#transport?.allowsNames ?? false;
  }

  get names() {
    return this.#transport?.names;
  }

  get fixedNodes() {
    return this.#transport?.fixedNodes ?? { bootnodes: [], staticNodes: [] };
  }

  get localNode() {
    return this.#transport?.localNode;
  }

  peers() {
    return [...this.#announced].map(({ peer }) => peer);
  }

  findPeer(id: NodeId) {
    return this.peers().find((peer) => peer.id === id);
  }

  addStaticPeer(enode: Enode): boolean {
    return this.#getTransport().addStaticPeer(enode);
  }

  removeStaticPeer(enode: Enode): boolean {
    return this.#getTransport().removeStaticPeer(enode);
  }

  async recheck(): Promise<void> {
    for (const { peer } of [...this.#connections.values()]) {
      const { id, enode, direction } = peer;
      const refusal = await this.#ask(this.#settings.hooks.connect, {
        peer: { id, enode },
        direction,
      });
      if (refusal === undefined) continue;
      this.#settings.log.debug(`disconnecting ${id}: ${refusal.message}`);
      peer.disconnect(refusal.reason ?? "requested");
    }
  }

  /** Opens the driver; nothing is bound or dialed yet. */
  async open(driver: NetworkDriver, context: DriverContext): Promise<void> {
    const { protocols } = context;
    this.#protocols = new Map(protocols.map((each) => [formatCapability(each), each]));
    const { hooks, clock, id } = this.#settings;
    this.#transport = await driver.open({
      ...context,
      networkId: id,
      clock,
      protocols: protocols.map(({ name, version, length }) => ({ name, version, length })),
      discover: (event) => this.#ask(hooks.discover, event),
      connect: (event) => this.#ask(hooks.connect, event),
      isConnected: (peer) => this.#connections.has(peer),
      reputationOf: (peer) => this.#reputations.of(peer).score,
      connected: (link) => this.#connected(link),
    });
  }

  /** Binds listeners and starts dialing. */
  async start(): Promise<void> {
    await this.#transport?.start();
  }

  /** Ends all connections and closes the driver. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const connection of [...this.#connections.values()]) {
      connection.disconnect("client-quitting");
    }
    await this.#transport?.stop();
  }

  /** Asks plugins about a node; a failing plugin rejects it, and is named. */
  async #ask<E>(
    hook: Pick<DecideHook<E, PeerRefusal>, "call" | "isUsed">,
    event: E,
  ): Promise<PeerRefusal | undefined> {
    if (!hook.isUsed()) return undefined;
    try {
      return await hook.call(event);
    } catch (error) {
      this.#settings.log.error(messageOf(error), { error });
      return { message: messageOf(error) };
    }
  }

  #connected(link: PeerLink): LinkReceiver | DisconnectReason {
    if (this.#isStopping) return "client-quitting";
    const existing = this.#connections.get(link.id);
    if (existing !== undefined && !this.#replaces(link, existing)) return "already-connected";
    existing?.disconnect("already-connected");
    const { hooks, clock, log } = this.#settings;
    const check: MessageCheck = async (peer, { name, version }, code) =>
      hooks.message.call({ peer, protocol: { name, version }, code });
    const connection = new PeerConnection({
      link,
      protocols: link.protocols.flatMap((each) => {
        const bound = this.#protocols.get(formatCapability(each));
        return bound === undefined ? [] : [bound];
      }),
      reputation: this.#reputations.of(link.id),
      clock,
      log,
      admit: hooks.message.isUsed() ? check : undefined,
      ended: (ended, end) => this.#ended(ended, end),
    });
    this.#connections.set(link.id, connection);
    connection.openSessions();
    const opened = connection.opened();
    if (opened === undefined) this.#announce(connection);
    else void opened.then(() => this.#announce(connection));
    return connection;
  }

  #announce(connection: PeerConnection): void {
    if (connection.hasEnded) return;
    this.#announced.add(connection);
    this.#settings.hooks.connected.call({ peer: connection.peer });
  }

  #ended(connection: PeerConnection, end: PeerEnd): void {
    const { peer } = connection;
    if (this.#connections.get(peer.id) === connection) this.#connections.delete(peer.id);
    // A connection that a session rejected while opening was never reported.
    if (this.#announced.delete(connection))
      this.#settings.hooks.disconnected.call({ peer, ...end });
  }

  /** Of two connections dialed at the same time the one dialed by the lower id stays. */
  #replaces({ id, direction }: PeerLink, { peer }: PeerConnection): boolean {
    if (direction === peer.direction) return false;
    const own = this.localNode?.enode.id ?? "0x";
    return own < id === (direction === "outbound");
  }

  #getTransport(): NetworkTransport {
    if (this.#transport !== undefined) return this.#transport;
    throw new PlinthError("NETWORK_DISABLED", {
      message:
        "P2P is off: no network driver is loaded, or it was disabled with --p2p-enabled=false",
    });
  }
}
