import { type Clock, type Logger, PeerError } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import { sealHeader } from "@plinth/core/blocks";
import type { JoinProtocol, JoinTarget } from "@plinth/core/chain";
import type { NodeId } from "@plinth/core/network";
import {
  type EthPeer,
  EthPeers,
  JoiningSession,
  RequestFailed,
  VERSIONS,
} from "@plinth/plugin-protocol-eth/api";
import { LENGTH, SnapClient } from "@plinth/plugin-protocol-snap/api";
import { PivotGone } from "./pivot-gone.js";
import { RequestRound } from "./request-round.js";

/** A peer that failed or was slow is asked after the others for this long. */
const PUT_OFF_MS = 30_000;
/** Peers that failed are asked again after this time. */
const RETRY_MS = 5_000;
const WARN_EVERY_MS = 30_000;
/** What no peer delivers for this long is given up. */
const GIVE_UP_MS = 60_000;
/** A peer that left a join unfinished does not choose another block for this long, if others can. */
const DISTRUST_MS = 600_000;

/** A peer of a node that joins a chain. */
export interface JoiningPeer {
  readonly id: NodeId;
  readonly eth: EthPeer;
  /** `undefined` if it does not offer snap/1. */
  readonly snap: SnapClient | undefined;
}

/** A request that any of several peers can serve. */
export interface PeerRequest<T> {
  /** What is requested, for log lines. */
  readonly what: string;
  readonly isAble: (peer: JoiningPeer) => boolean;
  /** `undefined` if the peer does not have it; throws `PeerError` if its response is wrong. */
  readonly ask: (peer: JoiningPeer) => Promise<T | undefined>;
}

/** The peers of a node that joins a chain: requests go to the next one if one of them fails. */
export class JoiningPeers {
  readonly #eth = new EthPeers();
  readonly #snap = new Map<NodeId, SnapClient>();
  readonly #dismissed = new Set<NodeId>();
  readonly #putOff = new Map<NodeId, number>();
  readonly #distrusted = new Map<NodeId, number>();
  readonly #changed: Signal;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  #nextWarning: number;

  constructor({ clock, signal }: Pick<JoinTarget, "clock" | "signal">, log: Logger) {
    this.#clock = clock;
    this.#signal = signal;
    this.#log = log;
    this.#changed = new Signal(clock);
    this.#nextWarning = clock.now() + WARN_EVERY_MS;
    this.#eth.onChange(() => this.#changed.notify());
  }

  /** The protocols with which peers are found here. */
  protocols(target: JoinTarget): readonly JoinProtocol[] {
    const node = {
      networkId: target.networkId,
      genesis: target.genesis,
      clock: this.#clock,
      peers: this.#eth,
      seal: (header: Parameters<JoinTarget["hashHeader"]>[0]) =>
        sealHeader(header, target.hashHeader(header)),
    };
    return [
      ...VERSIONS.map(({ version, length }) => ({
        ...{ name: "eth", version, length },
        connected: (peer: EthPeer["peer"]) => new JoiningSession(peer, node),
      })),
      {
        ...{ name: "snap", version: 1, length: LENGTH },
        connected: (peer) => this.#connected(peer),
      },
    ];
  }

  /** Peers that have shown their head. */
  all(): readonly JoiningPeer[] {
    return this.#eth
      .all()
      .filter(({ id }) => !this.#dismissed.has(id))
      .map((eth) => ({ id: eth.id, eth, snap: this.#snap.get(eth.id) }));
  }

  /** How many peers were dismissed. */
  get dismissed(): number {
    return this.#dismissed.size;
  }

  /**
   * Asks peers until one has it; waits for others if all of them fail.
   *
   * Throws `PivotGone` if every peer that could have it does not, or none has delivered it for a while.
   */
  async ask<T>({ what, isAble, ask }: PeerRequest<T>): Promise<T> {
    const round = new RequestRound();
    const giveUpAt = this.#clock.now() + GIVE_UP_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      if (this.#clock.now() >= giveUpAt) throw new PivotGone(what, { isSilence: true });
      const able = this.all().filter(isAble);
      const peer = this.#choose(able, (id) => round.isLeft(id));
      if (peer === undefined) {
        if (round.isOver(able)) throw new PivotGone(what);
        await this.wait(`no peer delivers ${what}`);
        round.next();
        continue;
      }
      try {
        const found = await this.#unlessStopped(ask(peer));
        if (found !== undefined) return found;
        round.lacks(peer.id);
      } catch (error) {
        if (error instanceof PeerError) this.dismiss(peer, error);
        else if (error instanceof RequestFailed) {
          this.#log.debug(`peer ${peer.id} does not deliver ${what}: ${error.message}`);
          round.failed(peer.id);
          this.putOff(peer);
        } else throw error;
      }
    }
  }

  /** Waits until peers change, or a while; warns from time to time what it waits for. */
  async wait(reason: string): Promise<void> {
    const { timeoutMs, signal } = { timeoutMs: RETRY_MS, signal: this.#signal };
    await this.#changed.nextWithin({ timeoutMs, signal });
    signal.throwIfAborted();
    if (this.#clock.now() < this.#nextWarning) return;
    this.#nextWarning = this.#clock.now() + WARN_EVERY_MS;
    this.#log.warn(
      `joining the chain waits: ${reason}; ${this.all().length} peers are connected. --sync-mode=FULL executes every block instead`,
    );
  }

  /** Asks a peer after the others for a while. */
  putOff({ id }: JoiningPeer): void {
    this.#putOff.set(id, this.#clock.now() + PUT_OFF_MS);
  }

  /** Lets other peers choose a block first for a while. */
  distrust({ id }: JoiningPeer): void {
    this.#distrusted.set(id, this.#clock.now() + DISTRUST_MS);
  }

  isDistrusted({ id }: JoiningPeer): boolean {
    return (this.#distrusted.get(id) ?? 0) > this.#clock.now();
  }

  /** Whether a peer is connected, and was not dismissed. */
  isHere({ id }: JoiningPeer): boolean {
    return this.all().some((peer) => peer.id === id);
  }

  /** Disconnects a peer, and does not ask it again. */
  dismiss({ id, eth }: JoiningPeer, error: PeerError): void {
    this.#log.warn(`disconnecting peer ${id}: ${error.message}`);
    this.#dismissed.add(id);
    eth.peer.disconnect(error.reason);
  }

  /** Rejects as soon as the node stops. */
  async #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const signal = this.#signal;
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #choose(able: readonly JoiningPeer[], isLeft: (id: NodeId) => boolean): JoiningPeer | undefined {
    const now = this.#clock.now();
    const order = ({ id, eth, snap }: JoiningPeer) =>
      ((this.#putOff.get(id) ?? 0) > now ? 1_000 : 0) +
      eth.requests.size +
      (snap?.requests.size ?? 0);
    return able.filter(({ id }) => isLeft(id)).sort((a, b) => order(a) - order(b))[0];
  }

  #connected(peer: EthPeer["peer"]): SnapClient {
    const client = new SnapClient(peer, {
      clock: this.#clock,
      ended: () => {
        if (this.#snap.get(peer.id) === client) this.#snap.delete(peer.id);
      },
    });
    this.#snap.set(peer.id, client);
    return client;
  }
}
