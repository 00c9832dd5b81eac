import type { ProtocolPeer } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/** Messages of a node that is no validator, for one height: it may be one at the next. */
const MAX_PER_NODE = 16;
/** The same for all nodes of one network address, whatever keys they use; several may run on one machine. */
const MAX_PER_HOST = 64;
/** Counts last at least so long, however fast heights follow each other. */
const MIN_MS = 1000;
/** Nodes and network addresses that are counted; those that came first are forgotten first. */
const MAX_COUNTED = 4096;

interface Counter {
  count: number;
}

/** Counts the messages of nodes that are no validators; a node that connects again goes on where it was. */
export class StrangerLimits {
  readonly #ofNodes = new LruMap<string, Counter>({ max: MAX_COUNTED });
  readonly #ofHosts = new LruMap<string, Counter>({ max: MAX_COUNTED });
  #since = Number.NEGATIVE_INFINITY;

  /** Counts a message; false when its sender has sent enough. */
  admits({ id, enode }: Pick<ProtocolPeer, "id" | "enode">): boolean {
    // A node that sends too much does not use up what others of its network address have.
    return (
      count(this.#ofNodes, id) <= MAX_PER_NODE && count(this.#ofHosts, enode.host) <= MAX_PER_HOST
    );
  }

  /** Another height has begun: what was counted before is forgotten, unless that was a moment ago. */
  heightBegan(now: number): void {
    if (now >= this.#since && now - this.#since < MIN_MS) return;
    this.#since = now;
    this.#ofNodes.clear();
    this.#ofHosts.clear();
  }
}

function count(counters: LruMap<string, Counter>, key: string): number {
  const counter = counters.peek(key) ?? { count: 0 };
  counters.add(key, counter);
  counter.count += 1;
  return counter.count;
}
