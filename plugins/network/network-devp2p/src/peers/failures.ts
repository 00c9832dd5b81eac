import type { Enode, NodeId } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

/** Number of nodes that are remembered, and how many of them are listed. */
const MAX_REMEMBERED = 100;
const MAX_NAMED = 3;
/** Maximum length of an id and of a reason. */
const ID_LENGTH = 18;
const REASON_LENGTH = 300;

/**
 * Why connections failed or ended, for an operator who lacks peers.
 *
 * Any number of unknown peers may dial and be rejected, so nodes that the operator named are tracked separately.
 */
export class Failures {
  readonly #isNamed: (id: NodeId) => boolean;
  readonly #named = new LruMap<NodeId, string>({ max: MAX_REMEMBERED });
  readonly #strangers = new LruMap<NodeId, string>({ max: MAX_REMEMBERED });

  constructor(isNamed: (id: NodeId) => boolean) {
    this.#isNamed = isNamed;
  }

  note({ id, host, tcpPort }: Pick<Enode, "id" | "host" | "tcpPort">, reason: string): void {
    const reasons = this.#isNamed(id) ? this.#named : this.#strangers;
    const shown = reason.slice(0, REASON_LENGTH);
    reasons.delete(id);
    reasons.set(id, `${id.slice(0, ID_LENGTH)}… at ${host}:${tcpPort}: ${shown}`);
  }

  /** The latest failures, those of named nodes first; `undefined` if there were none. */
  describe(): string | undefined {
    const lastFirst = [this.#named, this.#strangers].map((each) => [...each.values()].reverse());
    const all = lastFirst.flat();
    if (all.length === 0) return undefined;
    const more = all.length - MAX_NAMED;
    return `${all.slice(0, MAX_NAMED).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  }
}
