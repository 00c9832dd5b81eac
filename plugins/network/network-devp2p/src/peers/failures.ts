import type { Enode, NodeId } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

/** So many nodes are remembered, and so many of them named. */
const MAX_REMEMBERED = 100;
const MAX_NAMED = 3;
/** So many characters of an id are enough for people. */
const ID_LENGTH = 18;

/** Why connections with nodes were not opened, or ended, for an operator who misses peers. */
export class Failures {
  readonly #reasons = new LruMap<NodeId, string>({ max: MAX_REMEMBERED });

  note({ id, host, tcpPort }: Pick<Enode, "id" | "host" | "tcpPort">, reason: string): void {
    this.#reasons.delete(id);
    this.#reasons.set(id, `${id.slice(0, ID_LENGTH)}… at ${host}:${tcpPort}: ${reason}`);
  }

  /** The last of them; `undefined` where there was none. */
  describe(): string | undefined {
    const all = [...this.#reasons.values()];
    if (all.length === 0) return undefined;
    const more = all.length - MAX_NAMED;
    return `${all.slice(-MAX_NAMED).reverse().join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  }
}
