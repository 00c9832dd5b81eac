import type { Clock } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

const FIRST_MS = 1_000;
const MAX_MS = 60_000;
/** After a connection that lasted this long, the backoff is reset. */
const GOOD_MS = 10_000;
const MAX_REMEMBERED = 5_000;

interface Attempts {
  failures: number;
  notBefore: number;
  connectedAt: number | undefined;
}

/** When a node may be dialed again: after 1, 2, 4, 8, … at most 60 s. */
export class BackOff {
  readonly #clock: Clock;
  readonly #byId = new LruMap<NodeId, Attempts>({ max: MAX_REMEMBERED });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isDue(id: NodeId): boolean {
    return (this.#byId.peek(id)?.notBefore ?? 0) <= this.#clock.now();
  }

  /** When a node may be dialed; 0 for one that never was. */
  dueAt(id: NodeId): number {
    return this.#byId.peek(id)?.notBefore ?? 0;
  }

  /** A node that is requested explicitly is dialed at once. */
  forget(id: NodeId): void {
    this.#byId.delete(id);
  }

  connected(id: NodeId): void {
    this.#attemptsOf(id).connectedAt = this.#clock.now();
  }

  /** A dial failed or a connection ended. */
  failed(id: NodeId): void {
    const attempts = this.#attemptsOf(id);
    const now = this.#clock.now();
    const { connectedAt } = attempts;
    if (connectedAt !== undefined && now - connectedAt >= GOOD_MS) attempts.failures = 0;
    attempts.connectedAt = undefined;
    attempts.notBefore = now + Math.min(MAX_MS, FIRST_MS * 2 ** attempts.failures);
    attempts.failures += 1;
  }

  #attemptsOf(id: NodeId): Attempts {
    const known = this.#byId.get(id) ?? { failures: 0, notBefore: 0, connectedAt: undefined };
    this.#byId.add(id, known);
    return known;
  }
}
