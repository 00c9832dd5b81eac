import type { ProtocolPeer } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";

/** Maximum number of messages of a non-validator per height: it may be a validator at the next. */
const MAX_PER_NODE = 16;
/**
 * The same for all nodes of one network address, whatever keys they use; several may run on one
 * machine.
 */
const MAX_PER_HOST = 64;
/** Minimum lifetime of counts, however fast heights follow each other. */
const MIN_MS = 1000;
/** Number of counted nodes and network addresses; the oldest are evicted first. */
const MAX_COUNTED = 4096;

interface Counter {
  count: number;
}

/** Counts the messages of non-validators; a node that reconnects keeps its count. */
export class StrangerLimits {
  readonly #ofNodes = new LruMap<string, Counter>({ max: MAX_COUNTED });
  readonly #ofHosts = new LruMap<string, Counter>({ max: MAX_COUNTED });
  #since = Number.NEGATIVE_INFINITY;

  /** Counts a message; false if its sender has exceeded the limit. */
  admits({ id, enode }: Pick<ProtocolPeer, "id" | "enode">): boolean {
    // A node that exceeds its limit does not use up that of its network address.
    return (
      count(this.#ofNodes, id) <= MAX_PER_NODE && count(this.#ofHosts, enode.host) <= MAX_PER_HOST
    );
  }

  /** Another height has started: resets the counts, unless they were just reset. */
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
