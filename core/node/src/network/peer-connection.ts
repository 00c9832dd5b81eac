import type { Clock, Logger, ProtocolPeer, ProtocolSession } from "@plinth/core";
import { InvariantError, messageOf, PeerError, RlpError } from "@plinth/core";
import type {
  DisconnectReason,
  LinkReceiver,
  Peer,
  PeerEnd,
  PeerLink,
  PeerRefusal,
} from "@plinth/core/network";
import { formatCapability } from "@plinth/core/network";
import type { BoundProtocol } from "./bound-protocol.js";
import type { Reputation } from "./reputation.js";
import { SessionInbox } from "./session-inbox.js";

/** The dependencies of a connection. */
export interface PeerConnectionSettings {
  readonly link: PeerLink;
  /** The plugins' protocols, in the order of the link's. */
  readonly protocols: readonly BoundProtocol[];
  readonly reputation: Reputation;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called before each message; `undefined` if no plugin taps the hook. */
  readonly admit: MessageCheck | undefined;
  readonly ended: (connection: PeerConnection, end: PeerEnd) => void;
}

/** Returns why a message is not handled. */
export type MessageCheck = (
  peer: Peer,
  protocol: BoundProtocol,
  code: number,
) => Promise<PeerRefusal | undefined>;

interface OpenSession {
  readonly protocol: BoundProtocol;
  readonly session: ProtocolSession;
  readonly inbox: SessionInbox;
}

/** A connection with its sessions: delivers messages, counts them, and ends once. */
export class PeerConnection implements LinkReceiver {
  /** The connection as plugins see it. */
  readonly peer: Peer;
  readonly #settings: PeerConnectionSettings;
  readonly #sessions: OpenSession[] = [];
  readonly #abort = new AbortController();
  readonly #counts = { messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0 };
  #end: PeerEnd | undefined;

  constructor(settings: PeerConnectionSettings) {
    this.#settings = settings;
    this.peer = this.#createPeer(settings.clock.now());
  }

  /** Whether the connection has ended. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Opens the sessions in protocol order; stops if one ends the connection. */
  openSessions(): void {
    for (const [index, protocol] of this.#settings.protocols.entries()) {
      if (this.hasEnded) return;
      try {
        this.#openSession(index, protocol);
      } catch (error) {
        this.#failed(protocol, error);
      }
    }
  }

  /** Resolves when every session is open; `undefined` if all already are. */
  opened(): Promise<void> | undefined {
    const waiting = this.#sessions.flatMap(({ session: { opened }, protocol }) =>
      opened === undefined
        ? []
        : [Promise.resolve(opened).catch((error) => this.#failed(protocol, error))],
    );
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => {});
  }

  takes(protocol: number, code: number, bytes: number): boolean {
    const opened = this.#sessions[protocol];
    if (opened === undefined) return false;
    try {
      return opened.session.takes?.(code, bytes) ?? true;
    } catch (error) {
      this.#failed(opened.protocol, error);
      return false;
    }
  }

  received(protocol: number, code: number, payload: Uint8Array): Promise<void> | undefined {
    this.#counts.messagesIn += 1;
    this.#counts.bytesIn += payload.length;
    return this.#sessions[protocol]?.inbox.receive(code, payload);
  }

  ended(end: PeerEnd): void {
    if (this.hasEnded) return;
    this.#end = end;
    this.#abort.abort();
    for (const opened of this.#sessions) this.#endSession(opened, end);
    this.#settings.ended(this, end);
  }

  disconnect(reason: DisconnectReason, why?: string): void {
    if (this.hasEnded) return;
    this.#settings.reputation.disconnected(reason);
    this.#settings.link.close(reason, why);
    this.ended({ reason, byPeer: false, why });
  }

  #createPeer(connectedAt: number): Peer {
    const { link, reputation } = this.#settings;
    return {
      id: link.id,
      enode: link.enode,
      direction: link.direction,
      clientId: link.clientId,
      p2pVersion: link.p2pVersion,
      capabilities: link.capabilities,
      protocols: link.protocols,
      localAddress: link.localAddress,
      remoteAddress: link.remoteAddress,
      signal: this.#abort.signal,
      reputation: () => reputation.score,
      statistics: () => ({ connectedAt, ...this.#counts }),
      describe: () => this.#describe(),
      report: (report) => {
        const reason = reputation.report(report);
        if (reason !== undefined) this.disconnect(reason);
      },
      disconnect: (reason) => this.disconnect(reason),
    };
  }

  #describe() {
    const described = this.#sessions.flatMap((opened) => {
      const { name, version } = opened.protocol;
      const members = this.#describeSession(opened);
      return members === undefined ? [] : [[name, { version, ...members }] as const];
    });
    return Object.fromEntries(described);
  }

  #describeSession({ protocol, session }: OpenSession) {
    try {
      return session.describe === undefined ? {} : session.describe();
    } catch (error) {
      this.#report(protocol, error);
      return undefined;
    }
  }

  #openSession(index: number, protocol: BoundProtocol): void {
    const session = protocol.open(this.#createProtocolPeer(index, protocol));
    // Plugins need not be written in TypeScript.
    if (typeof session?.received !== "function") {
      throw new TypeError("connected() returned no session with a received()");
    }
    const { admit } = this.#settings;
    const inbox = new SessionInbox({
      session,
      admit: admit && ((code) => this.#isAdmitted(admit(this.peer, protocol, code))),
      failed: (error) => this.#failed(protocol, error),
    });
    const opened = { protocol, session, inbox };
    this.#sessions.push(opened);
    // The session may have ended the connection while it was created.
    if (this.#end !== undefined) this.#endSession(opened, this.#end);
  }

  #createProtocolPeer(index: number, protocol: BoundProtocol): ProtocolPeer {
    const { link } = this.#settings;
    const { name, version, length } = protocol;
    return {
      ...this.peer,
      protocol: { name, version },
      send: (code, payload) => {
        if (!Number.isInteger(code) || code < 0 || code >= length) {
          throw new InvariantError(`${name}/${version} has codes below ${length}, not ${code}`);
        }
        if (this.hasEnded) return false;
        this.#counts.messagesOut += 1;
        this.#counts.bytesOut += payload.length;
        link.send(index, code, payload);
        return true;
      },
      bufferedBytes: () => link.bufferedBytes(),
      drained: () => link.drained(),
    };
  }

  #endSession({ protocol, session, inbox }: OpenSession, end: PeerEnd): void {
    inbox.close();
    const report = (error: unknown) => this.#report(protocol, error);
    try {
      // It may be asynchronous: it is not awaited, but its errors are attributed to the plugin.
      Promise.resolve(session.ended?.(end)).catch(report);
    } catch (error) {
      report(error);
    }
  }

  async #isAdmitted(answer: Promise<PeerRefusal | undefined>): Promise<boolean> {
    const refusal = await answer;
    if (refusal === undefined) return true;
    this.#settings.log.debug(`disconnecting ${this.peer.id}: ${refusal.message}`);
    this.disconnect(refusal.reason ?? "unspecified", refusal.message);
    return false;
  }

  #failed(protocol: BoundProtocol, error: unknown): void {
    if (this.hasEnded) return;
    const isFaultOfPeer = error instanceof PeerError || error instanceof RlpError;
    if (isFaultOfPeer) {
      this.#settings.log.debug(`disconnecting ${this.peer.id}: ${error.message}`);
    } else this.#report(protocol, error);
    this.disconnect(reasonOf(error), messageOf(error));
  }

  #report(protocol: BoundProtocol, error: unknown): void {
    const what = `${protocol.plugin} failed in ${formatCapability(protocol)}`;
    this.#settings.log.error(`${what} with peer ${this.peer.id}: ${messageOf(error)}`, { error });
  }
}

function reasonOf(error: unknown): DisconnectReason {
  if (error instanceof PeerError) return error.reason;
  return error instanceof RlpError ? "breach-of-protocol" : "subprotocol-error";
}
