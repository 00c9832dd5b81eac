import type { BlockReader } from "./block-reader.js";
import type { BlockWriter } from "./block-writer.js";

/** The chain this node serves. */
export interface Chain {
  /** Of the genesis file; `undefined` when it names none. */
  readonly chainId: bigint | undefined;
  /** The genesis file as it stands. */
  readonly genesis: object;
  readonly blocks: BlockReader;
  /** What changes the chain. */
  readonly writer: BlockWriter;
}
