import type { BlockReader } from "./block-reader.js";
import type { BlockWriter } from "./block-writer.js";

/** The chain this node serves. */
export interface Chain {
  /** From the genesis file; `undefined` if it has none. */
  readonly chainId: bigint | undefined;
  /** The genesis file, unmodified. */
  readonly genesis: object;
  readonly blocks: BlockReader;
  /** Write access to the chain. */
  readonly writer: BlockWriter;
}
