import type { BlockReader } from "@plinth/core";
import type { OlderBlocks } from "./older-blocks.js";

/** A call of a method that may be about older blocks. */
export interface OlderCall {
  /** The arguments as received. */
  readonly sent: readonly unknown[];
  /** The decoded arguments. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly blocks: BlockReader;
  readonly older: OlderBlocks;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
  /** Runs the method on this chain, by default with the same arguments. */
  readonly run: (params?: Readonly<Record<string, unknown>>) => unknown;
  /** Asks the other node, by default with the same arguments; the result is JSON. */
  readonly forward: (sent?: readonly unknown[]) => Promise<unknown>;
  /** Makes JSON of the other node the result, whose form may differ in details. */
  readonly reply: (json: unknown) => unknown;
}
