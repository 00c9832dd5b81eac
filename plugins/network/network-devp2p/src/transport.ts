import { ConfigError, type Health, loadCrypto, toHex } from "@plinth/core";
import {
  type Enode,
  type FixedNodes,
  formatEnode,
  type HostNames,
  isSameEnode,
  type LocalNode,
  type NetworkHost,
  type NetworkTransport,
  type NodeKey,
} from "@plinth/core/network";
import { Connector } from "./connector.js";
import type { Discovery } from "./discovery/discovery.js";
import { Listener } from "./listener.js";
import type { Devp2pMetrics } from "./metrics.js";
import { findAdvertisedAddress, isInDocker, type NatSettings } from "./nat.js";
import { BackOff } from "./peers/back-off.js";
import { Bans } from "./peers/bans.js";
import { Dialler } from "./peers/dialler.js";
import { Failures } from "./peers/failures.js";
import { Loneliness } from "./peers/loneliness.js";
import { Offences } from "./peers/offences.js";
import { PeerSlots } from "./peers/peer-slots.js";
import { Throttle } from "./peers/throttle.js";
import { createResolver, type ResolveHost, resolveOnce } from "./resolve-host.js";
import { type Devp2pSettings, readBootnodes } from "./settings.js";
import { readStaticNodes } from "./static-nodes.js";

/** Dependencies and settings of the driver. */
export interface TransportSettings {
  readonly host: NetworkHost;
  readonly settings: Devp2pSettings;
  readonly metrics: Devp2pMetrics;
  /** Whether the operator set the bootnodes, even to none. */
  readonly hasBootnodes: boolean;
}

/** Peers of a node over RLPx: listens, dials, keeps static nodes connected. */
export class Devp2pTransport implements NetworkTransport {
  readonly maxPeers: number;
  readonly allowsNames: boolean;
  readonly names: HostNames;
  readonly fixedNodes: FixedNodes;
  readonly #host: NetworkHost;
  readonly #settings: Devp2pSettings;
  readonly #metrics: Devp2pMetrics;
  readonly #nodeKey: NodeKey;
  readonly #bootnodes: readonly Enode[];
  readonly #static: Enode[];
  readonly #resolve: ResolveHost;
  readonly #backOff: BackOff;
  readonly #bans: Bans;
  readonly #connector: Connector;
  readonly #dialler: Dialler;
  readonly #listener: Listener;
  readonly #loneliness: Loneliness;
  readonly #failures = new Failures((id) => this.#isNamed(id));
  #discovery: Discovery | undefined;
  #localNode: LocalNode | undefined;

  private constructor(
    { host, settings, metrics }: TransportSettings,
    nodes: { nodeKey: NodeKey; bootnodes: readonly Enode[]; staticNodes: readonly Enode[] },
  ) {
    const { config, isAllowed } = settings;
    this.#host = host;
    this.#settings = settings;
    this.#metrics = metrics;
    this.#nodeKey = nodes.nodeKey;
    this.#bootnodes = nodes.bootnodes;
    this.#static = nodes.staticNodes.filter(({ id }) => id !== this.#ownId());
    this.maxPeers = config.maxPeers;
    this.allowsNames = config.XdnsEnabled;
    const resolve = createResolver(config.Xp2pDnsDiscoveryServer);
    this.#resolve = config.XdnsUpdateEnabled ? resolve : resolveOnce(resolve);
    this.names = { areKept: config.XdnsUpdateEnabled, resolve: (name) => this.#resolve(name) };
    const { bootnodes, staticNodes } = nodes;
    this.fixedNodes = { bootnodes, staticNodes };
    this.#backOff = new BackOff(host.clock);
    this.#bans = new Bans(host.clock, settings.bannedIds);
    const slots = new PeerSlots(limitsOf(settings), (id) => host.reputationOf(id));
    this.#connector = new Connector({
      host,
      nodeKey: nodes.nodeKey,
      bans: this.#bans,
      offences: new Offences(host.clock),
      slots,
      metrics,
      failures: this.#failures,
      resolve: this.#resolve,
      isAllowed,
      isStatic: (id) => this.#isStatic(id),
      // Nodes that discover each other dial each other: of the two connections this one stays.
      prefersOwnDial: (id) => this.#dialler.isDialling(id) && this.#ownId() < id,
      listenPort: () => this.#localNode?.enode.tcpPort ?? 0,
      ended: ({ id }) => this.#backOff.failed(id),
    });
    this.#dialler = new Dialler({
      clock: host.clock,
      backOff: this.#backOff,
      staticNodes: () => this.#static,
      candidates: () => this.#discovery?.candidates() ?? [],
      hasRoom: () => slots.hasRoom(this.#connector.holders()),
      canDial: (enode, isStatic) => this.#canDial(enode, isStatic),
      dial: (enode) => this.#connector.dial(enode),
    });
    const throttle = new Throttle(host.clock);
    this.#listener = new Listener({
      host: config.p2pInterface,
      port: config.p2pPort,
      // Rejected peers stay connected until they have read the reason.
      maxConnections: 2 * config.maxPeers + this.#static.length + 128,
      isAllowed: (address) => isAllowed(address) && throttle.admits(address),
      accept: (socket) => this.#connector.accept(socket),
    });
    this.#loneliness = new Loneliness({
      ...{ clock: host.clock, log: host.log },
      hasPeers: () => this.#connector.hasSessions,
      expected: () => this.#static.length + this.#asked().length,
      explain: () => this.#explainLoneliness(),
    });
  }

  /** Whether there are peers, and why not. */
  health(): Health {
    return this.#loneliness.health();
  }

  /** Reads the configuration; nothing is bound or dialed yet. */
  static async open(opened: TransportSettings): Promise<Devp2pTransport> {
    const { host, settings, hasBootnodes } = opened;
    const { nodeKey } = host;
    if (nodeKey === undefined) {
      throw new ConfigError("NODE_KEY_MISSING", {
        message:
          "peers need a node key: load a key driver, such as keys-file, or use --p2p-enabled=false",
      });
    }
    await loadCrypto();
    const bootnodes = readBootnodes(settings, hasBootnodes, host.genesis);
    const staticNodes = await readStaticNodes({
      file: settings.config.staticNodesFile,
      dataPath: host.dataPath,
      allowsNames: settings.config.XdnsEnabled,
    });
    if (!settings.config.discoveryEnabled && hasBootnodes && bootnodes.length > 0) {
      host.log.warn("Discovery disabled: bootnodes will be ignored.");
    }
    return new Devp2pTransport(opened, { nodeKey, bootnodes, staticNodes });
  }

  get localNode(): LocalNode | undefined {
    return this.#localNode;
  }

  async start(): Promise<void> {
    const { log } = this.#host;
    const { p2pInterface, p2pHost, natMethod, XnatKubeServiceName } = this.#settings.config;
    log.info(`Connecting to ${this.#static.length} static nodes.`);
    const port = await this.#listener.listen();
    const nat = { method: natMethod as NatSettings["method"], service: XnatKubeServiceName };
    const resolve = this.#resolve;
    const context = { environment: process.env, resolve, isInDocker, log };
    const configured = { host: p2pHost, port };
    const advertised = await findAdvertisedAddress(nat, configured, context);
    log.info(`P2P RLPx agent started and listening on /${p2pInterface}:${port}.`);
    const enode = {
      id: this.#ownId(),
      host: advertised.host,
      tcpPort: advertised.port,
      udpPort: 0,
    };
    this.#localNode = { enode, listening: { host: p2pInterface, port } };
    await this.#startDiscovery(port);
    log.info(`Enode URL ${formatEnode(this.#localNode.enode)}`);
    this.#dialler.start();
    this.#loneliness.start();
  }

  async stop(): Promise<void> {
    this.#dialler.stop();
    this.#loneliness.stop();
    await this.#discovery?.stop();
    await this.#connector.stop();
    await this.#listener.close();
  }

  addStaticPeer(enode: Enode): boolean {
    if (enode.id === this.#ownId()) return false;
    if (this.#static.some((known) => isSameEnode(known, enode))) return false;
    this.#static.push(enode);
    this.#bans.lift(enode.id);
    this.#backOff.forget(enode.id);
    this.#dialler.wake();
    return true;
  }

  removeStaticPeer(enode: Enode): boolean {
    const index = this.#static.findIndex((known) => isSameEnode(known, enode));
    if (index < 0) return false;
    this.#static.splice(index, 1);
    this.#discovery?.forget(enode.id);
    this.#connector.disconnect(enode.id);
    return true;
  }

  async #startDiscovery(port: number): Promise<void> {
    const { config } = this.#settings;
    if (!config.discoveryEnabled || this.#localNode === undefined) return;
    const { openDiscovery } = await import("./discovery/open-discovery.js");
    this.#host.log.info(`Resolved ${this.#bootnodes.length} bootnodes.`);
    const { enode, listening } = this.#localNode;
    this.#discovery = await openDiscovery({
      host: this.#host,
      nodeKey: this.#nodeKey,
      metrics: this.#metrics,
      interface: config.p2pInterface,
      port,
      enode: { ...enode, udpPort: enode.tcpPort },
      bootnodes: this.#bootnodes,
      retriesBootnodes: config.poaDiscoveryRetryBootnodes,
      resolve: this.#resolve,
      isAllowed: (address) => this.#settings.isAllowed(address),
      isBanned: (id) => this.#bans.isBanned(id),
      found: () => this.#dialler.wake(),
    });
    this.#localNode = { enode: { ...enode, udpPort: enode.tcpPort }, listening };
  }

  /** The bootnodes to ask for others: a shared list includes this node as well. */
  #asked(): readonly Enode[] {
    return this.#settings.config.discoveryEnabled ? this.#otherBootnodes() : [];
  }

  #otherBootnodes(): readonly Enode[] {
    return this.#bootnodes.filter(({ id }) => id !== this.#ownId());
  }

  /** Whether the operator named a node. */
  #isNamed(id: Enode["id"]): boolean {
    return this.#isStatic(id) || this.#bootnodes.some((each) => each.id === id);
  }

  #explainLoneliness(): string {
    const [fixed, asked] = [this.#static.length, this.#asked().length];
    const failures = this.#failures.describe();
    if (this.maxPeers === 0 && fixed === 0) return "--max-peers=0 admits no peers";
    const unused =
      this.#otherBootnodes().length > asked ? "; discovery is off, so bootnodes are not used" : "";
    const own = this.#localNode === undefined ? "" : formatEnode(this.#localNode.enode);
    const known = `${fixed} static nodes, ${asked} bootnodes${unused}`;
    if (failures !== undefined) return `${known}; ${failures}`;
    if (fixed + asked === 0) {
      return `${known}; --bootnodes or --static-nodes-file name others, who reach this node at ${own}`;
    }
    return `${known}; none has responded, and none has dialed ${own}`;
  }

  #canDial({ id, tcpPort }: Enode, isStatic: boolean): boolean {
    if (id === this.#ownId() || tcpPort === 0 || this.#host.isConnected(id)) return false;
    return isStatic || !this.#bans.isBanned(id);
  }

  #isStatic(id: Enode["id"]): boolean {
    return this.#static.some((known) => known.id === id);
  }

  #ownId() {
    return toHex(this.#nodeKey.publicKey);
  }
}

function limitsOf({ config }: Devp2pSettings) {
  const { maxPeers, remoteConnectionsLimitEnabled, remoteConnectionsMaxPercentage } = config;
  return {
    maxPeers,
    maxInbound: remoteConnectionsLimitEnabled
      ? Math.round((maxPeers * remoteConnectionsMaxPercentage) / 100)
      : maxPeers,
    isRandom: config.randomPeerPriorityEnabled,
  };
}
