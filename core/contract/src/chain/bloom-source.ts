/** Blooms of the canonical chain, many at once; never returns blooms of other blocks. */
export interface BloomSource {
  /**
   * Consecutive blooms starting at a block, as many as are available; `undefined` if that block's
   * is not.
   */
  read(from: bigint): Uint8Array | undefined;
  /** Changes whenever blooms read earlier may no longer be canonical. */
  readonly version: number;
}
