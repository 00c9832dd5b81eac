import type { NodeId } from "@plinth/core/network";

/** Number of times that a peer may fail to deliver what others do not have. */
const MAX_FAILURES = 3;

/** Which peers were asked for something. */
export class RequestRound {
  readonly #lacking = new Set<NodeId>();
  readonly #failures = new Map<NodeId, number>();
  readonly #failed = new Set<NodeId>();

  isLeft(id: NodeId): boolean {
    return !this.#lacking.has(id) && !this.#failed.has(id);
  }

  lacks(id: NodeId): void {
    this.#lacking.add(id);
  }

  failed(id: NodeId): void {
    this.#failed.add(id);
    this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1);
  }

  /** Peers that failed may be asked again. */
  next(): void {
    this.#failed.clear();
  }

  /** Whether peers do not have it, and those that may have it have failed several times. */
  isOver(able: readonly { readonly id: NodeId }[]): boolean {
    const isOut = (id: NodeId) =>
      this.#lacking.has(id) || (this.#failures.get(id) ?? 0) >= MAX_FAILURES;
    return able.some(({ id }) => this.#lacking.has(id)) && able.every(({ id }) => isOut(id));
  }
}
