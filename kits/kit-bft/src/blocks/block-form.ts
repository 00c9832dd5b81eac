import { type Block, type Hash, type Header, keccakHeader } from "@plinth/core";
import type { BftExtraDataCodec } from "./extra-data.js";

/**
 * The hashes of a block, and the block with another round or with seals; all of it is in its extra
 * data.
 */
export class BlockForm {
  readonly codec: BftExtraDataCodec;

  constructor(codec: BftExtraDataCodec) {
    this.codec = codec;
  }

  /** The hash of a block; it covers neither its seals nor its round. */
  hashOf(header: Header): Hash {
    if (header.number === 0n) return keccakHeader(header);
    return keccakHeader(header, this.codec.encodeForHash(this.codec.decode(header.extraData)));
  }

  /** The hash that a commit seal signs, for the round of the header or for another. */
  sealHashOf(header: Header, round?: number): Hash {
    const data = this.codec.decode(header.extraData);
    const signed = round === undefined ? data : { ...data, round };
    return keccakHeader(header, this.codec.encodeForSeals(signed));
  }

  withRound(block: Block, round: number): Block {
    return this.withSeals(block, round, []);
  }

  /** The block with the round of another header of it, and without seals. */
  withRoundOf(block: Block, { extraData }: Header): Block {
    return this.withRound(block, this.codec.decode(extraData).round);
  }

  withSeals({ header, body }: Block, round: number, seals: readonly Uint8Array[]): Block {
    const data = this.codec.decode(header.extraData);
    const extraData = this.codec.encode({ ...data, round, seals });
    // The cached hash of a sealed header must not be carried over.
    const { hash: _, ...fields } = header as Header & { readonly hash?: Hash };
    return { header: { ...fields, extraData }, body };
  }
}
