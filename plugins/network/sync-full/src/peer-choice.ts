import { type Clock, PeerError } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import { type EthPeer, type EthPeers, RequestFailed } from "@plinth/plugin-protocol-eth/api";

const MAX_ATTEMPTS = 5;
/** After this time without progress, another peer is asked as well. */
const PATIENCE_MS = 2_500;
/** A peer that failed or was slow is ranked after the others for this long. */
const PUT_OFF_MS = 30_000;

/** A request: which peers have it, and which one must be asked before giving up. */
export interface Wanted {
  readonly height: bigint;
  readonly target: EthPeer;
}

/**
 * Asks any of the peers that have a block, so that none of them can stall a request that others can
 * serve.
 */
export class PeerChoice {
  readonly #peers: EthPeers;
  readonly #clock: Clock;
  readonly #putOff = new Map<NodeId, number>();

  constructor(peers: EthPeers, clock: Clock) {
    this.#peers = peers;
    this.#clock = clock;
  }

  /**
   * Asks peers until one responds: the least busy first, and the next if one fails or makes no progress.
   *
   * Each is asked once. The sync target is asked last among equally busy ones, but it is asked: it is not at fault if
   * others do not deliver. `ask` reports substantial progress.
   */
  ask<T>(wanted: Wanted, ask: (peer: EthPeer, progressed: () => void) => Promise<T>): Promise<T> {
    const asked = new Set<EthPeer>();
    let underWay = 0;
    let isOver = false;
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        isOver = true;
        finish();
      };
      const askNext = (failure: RequestFailed) => {
        const peer = isOver ? undefined : this.#choose(wanted, asked);
        if (peer !== undefined) begin(peer, failure);
        else if (underWay === 0) end(() => reject(failure));
      };
      const begin = (peer: EthPeer, failure: RequestFailed) => {
        asked.add(peer);
        underWay += 1;
        let stop = () => {};
        const wait = () => {
          stop();
          stop = this.#clock.after(PATIENCE_MS, () => {
            // Received data is waiting for this node, which may be busy.
            if (!peer.requests.isAwaiting) return wait();
            this.#putOffFor(peer);
            askNext(failure);
          });
        };
        wait();
        ask(peer, wait)
          .finally(() => {
            stop();
            underWay -= 1;
          })
          .then(
            (answer) => end(() => resolve(answer)),
            (error: unknown) => {
              this.#putOffFor(peer);
              if (error instanceof PeerError) peer.peer.disconnect(error.reason);
              if (error instanceof RequestFailed) askNext(error);
              else if (error instanceof PeerError) askNext(new RequestFailed(error.message));
              else end(() => reject(error));
            },
          );
      };
      askNext(new RequestFailed(`no peer has block ${wanted.height}`));
    });
  }

  #choose({ height, target }: Wanted, asked: ReadonlySet<EthPeer>): EthPeer | undefined {
    if (asked.size >= MAX_ATTEMPTS) return undefined;
    const able = this.#peers
      .all()
      .filter(
        (peer) => !asked.has(peer) && (peer === target || (peer.head?.number ?? 0n) >= height),
      );
    if (asked.size === MAX_ATTEMPTS - 1 && able.includes(target)) return target;
    const order = (peer: EthPeer) =>
      (this.#isPutOff(peer) ? 1_000 : 0) + peer.requests.size * 2 + (peer === target ? 1 : 0);
    return able.sort((a, b) => order(a) - order(b))[0];
  }

  #isPutOff({ id }: EthPeer): boolean {
    const until = this.#putOff.get(id) ?? 0;
    if (until > this.#clock.now()) return true;
    this.#putOff.delete(id);
    return false;
  }

  #putOffFor({ id }: EthPeer): void {
    this.#putOff.set(id, this.#clock.now() + PUT_OFF_MS);
  }
}
