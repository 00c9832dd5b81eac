import { connect, type Socket } from "node:net";
import { messageOf, PeerError } from "@plinth/core";
import type { Enode, NetworkHost, NodeKey, PeerEnd, PeerRefusal } from "@plinth/core/network";
import type { Devp2pMetrics } from "./metrics.js";
import type { Bans } from "./peers/bans.js";
import type { Failures } from "./peers/failures.js";
import type { Offences } from "./peers/offences.js";
import type { PeerSlots } from "./peers/peer-slots.js";
import type { ResolveHost } from "./resolve-host.js";
import { openSession } from "./rlpx/open-session.js";
import type { Session } from "./rlpx/session.js";

const CONNECT_MS = 10_000;
/** Reputation of a node that has not been useful yet. */
const INITIAL_REPUTATION = 100;

/** Dependencies and settings of connections. */
export interface ConnectorSettings {
  readonly host: NetworkHost;
  readonly nodeKey: NodeKey;
  readonly bans: Bans;
  readonly offences: Offences;
  readonly slots: PeerSlots;
  readonly metrics: Devp2pMetrics;
  readonly failures: Failures;
  readonly resolve: ResolveHost;
  readonly isAllowed: (host: string) => boolean;
  readonly isStatic: (id: Enode["id"]) => boolean;
  /** Whether a dial to a node is in progress that takes precedence over its inbound connection. */
  readonly prefersOwnDial: (id: Enode["id"]) => boolean;
  /** The advertised port of this node. */
  readonly listenPort: () => number;
  readonly ended: (session: Session) => void;
}

/** Opens inbound and outbound connections and hands them to the node. */
export class Connector {
  readonly #settings: ConnectorSettings;
  readonly #sessions = new Set<Session>();
  #isStopping = false;

  constructor(settings: ConnectorSettings) {
    this.#settings = settings;
  }

  /** The connections that occupy a slot. */
  holders(): readonly Session[] {
    return [...this.#sessions].filter(({ id }) => !this.#settings.isStatic(id));
  }

  /** Whether there is any connection. */
  get hasSessions(): boolean {
    return this.#sessions.size > 0;
  }

  /** Dials a node; returns whether a connection was opened. */
  async dial(enode: Enode): Promise<boolean> {
    const { host, resolve, isAllowed, failures } = this.#settings;
    try {
      const address = await resolve(enode.host);
      if (!isAllowed(address)) {
        failures.note(enode, "its address is not in --net-restrict");
        return false;
      }
      const dialled = { ...enode, host: address };
      const event = { peer: { id: enode.id, enode: dialled }, direction: "outbound" } as const;
      const refusal = await host.connect(event);
      if (refusal !== undefined) failures.note(enode, refusal.message);
      if (refusal !== undefined || this.#isStopping) return false;
      const socket = await connectTo(dialled);
      return this.#admit(await this.#open(socket, dialled), undefined);
    } catch (error) {
      failures.note(enode, messageOf(error));
      host.log.debug(
        `dialing ${enode.id} at ${enode.host}:${enode.tcpPort} failed: ${messageOf(error)}`,
      );
      return false;
    }
  }

  /** Accepts an inbound connection. */
  async accept(socket: Socket): Promise<void> {
    const { host } = this.#settings;
    try {
      const session = await this.#open(socket, undefined);
      const { id, enode } = session;
      const refusal = await host.connect({ peer: { id, enode }, direction: "inbound" });
      this.#admit(session, refusal);
    } catch (error) {
      const what = `a connection from ${socket.remoteAddress} was not opened: ${messageOf(error)}`;
      if (error instanceof PeerError) {
        host.log.debug(what);
        return;
      }
      // Such as a key that is temporarily unavailable: no reason to stop the node.
      socket.destroy();
      host.log.error(what, { error });
    }
  }

  /** Ends the connection to a node, if there is one. */
  disconnect(id: Enode["id"]): void {
    for (const session of this.#sessions) if (session.id === id) session.endLocally("requested");
  }

  /** Ends all connections and waits until they are closed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const sessions = [...this.#sessions];
    for (const session of sessions) session.endLocally("client-quitting");
    await Promise.all(sessions.map(({ closed }) => closed));
  }

  #open(socket: Socket, dialled: Enode | undefined): Promise<Session> {
    const { host, nodeKey, listenPort } = this.#settings;
    return openSession({
      socket,
      nodeKey,
      clientId: host.clientVersion,
      protocols: host.protocols,
      listenPort: listenPort(),
      clock: host.clock,
      log: host.log,
      ...(dialled === undefined ? {} : { dialled }),
    });
  }

  /** Admits a session and hands it to the node; returns whether both succeeded. */
  #admit(session: Session, refusal: PeerRefusal | undefined): boolean {
    const { host, bans, offences, slots, isStatic, metrics, failures } = this.#settings;
    const { id, clientId, remoteAddress, direction } = session;
    const refuse = (reason: Parameters<Session["close"]>[0], why: string) => {
      host.log.debug(`refusing ${id} (${clientId}): ${why}`);
      session.close(reason, why);
      failures.note(session.enode, why);
      return false;
    };
    if (this.#isStopping) return refuse("client-quitting", "the node is stopping");
    if (refusal !== undefined) return refuse(refusal.reason ?? "unspecified", refusal.message);
    if (direction === "inbound" && this.#settings.prefersOwnDial(id)) {
      return refuse("already-connected", "it is being dialed");
    }
    if (!isStatic(id) && bans.isBanned(id)) return refuse("requested", "it is banned");
    const isStranger = !isStatic(id) && host.reputationOf(id) <= INITIAL_REPUTATION;
    if (direction === "inbound" && isStranger && offences.areTooMany(remoteAddress.host)) {
      return refuse("useless-peer", `untrusted peers from ${remoteAddress.host} misbehaved`);
    }
    const verdict = isStatic(id)
      ? ({ isAdmitted: true } as const)
      : slots.decide(
          session,
          this.holders().filter((holder) => holder.id !== id),
        );
    if (!verdict.isAdmitted) return refuse("too-many-peers", "no slot is free");
    let isConnected = false;
    let isAdmitted = false;
    session.onEnded = (end) => {
      this.#sessions.delete(session);
      bans.ended(id, end);
      offences.ended(remoteAddress.host, end);
      failures.note(session.enode, describeEnd(end));
      if (!isConnected) return;
      metrics.disconnected(end);
      host.log.debug(
        `Disconnected - ${end.byPeer ? "inbound" : "outbound"} - ${end.reason} - ${id.slice(0, 18)}`,
      );
      // The result of a dial reports an end before its admission.
      if (isAdmitted || direction === "inbound") this.#settings.ended(session);
    };
    session.counted = (way, protocol, code) => {
      const name = protocol === undefined ? "p2p" : (session.protocols[protocol]?.name ?? "");
      metrics.message(way, name, code);
    };
    this.#sessions.add(session);
    const receiver = host.connected(session);
    if (typeof receiver === "string") return refuse(receiver, receiver);
    if (session.hasEnded) {
      host.log.debug(`a protocol ended the connection to ${id} (${clientId}) while it was opened`);
      return false;
    }
    isConnected = true;
    metrics.connected();
    host.log.debug(
      `Connected to ${id.slice(0, 18)} at ${remoteAddress.host}:${remoteAddress.port} (${direction}, ${clientId})`,
    );
    if (verdict.evicted !== undefined) host.log.debug(`${verdict.evicted.id} is evicted for ${id}`);
    for (const other of this.#sessions) {
      if (other.id === verdict.evicted?.id) other.endLocally("too-many-peers");
    }
    // Messages that have already arrived may end it.
    session.run(receiver);
    isAdmitted = true;
    return !session.hasEnded;
  }
}

/** Describes how a connection ended. */
function describeEnd({ reason, byPeer, why }: PeerEnd): string {
  if (!byPeer) return why ?? `this node ended the connection: ${reason}`;
  const hint = reason === "subprotocol-error" ? ", as for another genesis file or network id" : "";
  return `it ended the connection: ${reason}${hint}`;
}

function connectTo({ host, tcpPort }: Enode): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: tcpPort, timeout: CONNECT_MS });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.once("error", fail);
    socket.once("timeout", () => fail(new Error(`no connection within ${CONNECT_MS / 1000} s`)));
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      socket.removeListener("error", fail);
      resolve(socket);
    });
  });
}
