import { InvalidBlock } from "../blocks/errors.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Address } from "../primitives/hex.js";

/** What an operator vouches for, where headers alone prove nothing. */
export interface HeaderTrust {
  /** The validators of the last header, if a contract determines them. */
  readonly validators?: readonly Address[] | undefined;
}

/** Proves a chain of headers by their seals, without bodies and states. */
export interface HeaderProof {
  /** Takes the next header, whose hash was computed by the engine; throws `InvalidBlock`. */
  add(header: SealedHeader): void | Promise<void>;
  /**
   * Verifies the seals that are still open, and returns the number of the last header that is
   * proven; throws `InvalidBlock`.
   */
  finish(): Promise<bigint>;
}

/** Creates the proof of the headers that follow a trusted one, such as that of block 0. */
export type ProveHeaders = (start: SealedHeader, trust: HeaderTrust) => HeaderProof;

/** Throws `InvalidBlock` unless a header is the next one after another. */
export function verifyLink(header: SealedHeader, parent: SealedHeader): void {
  const { number, parentHash } = header;
  if (number !== parent.number + 1n) {
    throw new InvalidBlock("number", `block ${number} does not follow block ${parent.number}`);
  }
  if (parentHash === parent.hash) return;
  throw new InvalidBlock(
    "parent",
    `block ${number}: its parent is ${parentHash}, expected ${parent.hash}`,
  );
}
