/** Blooms of the canonical chain, many at once; it never has one that is not the chain's. */
export interface BloomSource {
  /** Blooms back to back, from that of a block on, as many as are at hand; `undefined` when that one is not. */
  read(from: bigint): Uint8Array | undefined;
  /** Another one whenever blooms that were read may not be the chain's any more. */
  readonly version: number;
}
