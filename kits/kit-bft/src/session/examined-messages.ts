import type { Address, ProtocolPeer } from "@plinth/core";
import type { Envelope } from "../messages/messages.js";
import { hashOf } from "./recent-hashes.js";

/** Different messages of one kind and round that one peer may bring of one author: an honest author signs one. */
const MAX_VERSIONS = 4;
/** Blocks with a body that is not theirs, which one peer may bring of one author at a height. */
const MAX_WRONG_BODIES = 8;
/** Kinds and rounds that are counted for one peer and one author; the rounds of a height are far fewer. */
const MAX_KINDS = 256;

interface Examined {
  readonly versions: Map<string, Set<string>>;
  wrongBodies: number;
}

/**
 * Bounds what a validator that lies makes this node read at a height.
 *
 * What a message carries beside its signed part can be exchanged by any peer that passes it on. Each peer has a bound of
 * its own for each author, so that no peer keeps the true message of another from being read.
 */
export class ExaminedMessages {
  readonly #pairs = new Map<string, Examined>();

  /** Notes a message that is about to be read; false when too many others of its kind were. */
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

  /** Notes that a block in a message of an author had a body that its header does not commit to. */
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
