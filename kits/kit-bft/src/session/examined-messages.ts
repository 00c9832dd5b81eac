import type { Address, ProtocolPeer } from "@plinth/core";
import type { Envelope } from "../messages/messages.js";
import { hashOf } from "./recent-hashes.js";

/**
 * Maximum number of different messages of one kind and round that one peer may send for one author:
 * an honest author signs one.
 */
const MAX_VERSIONS = 4;
/** Maximum number of blocks with a wrong body that one peer may send for one author at a height. */
const MAX_WRONG_BODIES = 8;
/**
 * Number of kinds and rounds counted for one peer and one author; the rounds of a height are far
 * fewer.
 */
const MAX_KINDS = 256;

interface Examined {
  readonly versions: Map<string, Set<string>>;
  wrongBodies: number;
}

/**
 * Limits what a lying validator makes this node decode at a height.
 *
 * The unsigned part of a message can be replaced by any relaying peer. Each peer has its own limit
 * for each author, so that no peer keeps the true message of another from being decoded.
 */
export class ExaminedMessages {
  readonly #pairs = new Map<string, Examined>();

  /** Counts a message about to be decoded; false if too many others of its kind were. */
  admits(from: Pick<ProtocolPeer, "id">, envelope: Envelope): boolean {
    const { kind, round, author, bytes } = envelope;
    if (kind === "prepare" || kind === "commit") return true;
    const { versions, wrongBodies } = this.#of(from, author);
    if (wrongBodies >= MAX_WRONG_BODIES) return false;
    const key = `${kind} ${round}`;
    const known = versions.get(key) ?? new Set();
    const hash = hashOf(bytes);
    if (known.has(hash)) return true;
    if (known.size >= MAX_VERSIONS || (known.size === 0 && versions.size >= MAX_KINDS))
      return false;
    known.add(hash);
    versions.set(key, known);
    return true;
  }

  /** Counts a block in a message of an author whose header does not commit to its body. */
  foundWrongBody(from: Pick<ProtocolPeer, "id">, author: Address): void {
    this.#of(from, author).wrongBodies++;
  }

  #of({ id }: Pick<ProtocolPeer, "id">, author: Address): Examined {
    const key = `${id} ${author}`;
    const known = this.#pairs.get(key) ?? { versions: new Map(), wrongBodies: 0 };
    this.#pairs.set(key, known);
    return known;
  }
}
