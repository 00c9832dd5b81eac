import { expect } from "vitest";
import type { ValidatorNode } from "./validator-network.js";

/** Number of blocks that are compared once more, in case one was replaced later. */
const AGAIN = 20;

/** The blocks that any node has ever reported: there is one per height, permanently. */
export class FinalBlocks {
  readonly #hashes = new Map<number, string>();
  #complete = 0;

  /** Adds the blocks of nodes; fails if two of them, or two moments, differ. */
  async addAll(nodes: readonly ValidatorNode[]): Promise<void> {
    const heights = await Promise.all(nodes.map((node) => node.height()));
    for (const [index, node] of nodes.entries()) {
      for (
        let number = Math.max(1, this.#complete - AGAIN);
        number <= (heights[index] ?? 0);
        number++
      ) {
        const quantity = `0x${number.toString(16)}`;
        const block = await node.rpc("eth_getBlockByNumber", [quantity, false]);
        const { hash } = block as { readonly hash: string };
        expect(`${number} ${hash}`).toBe(`${number} ${this.#hashes.get(number) ?? hash}`);
        this.#hashes.set(number, hash);
      }
    }
    this.#complete = Math.max(0, Math.min(...heights) - 1);
  }
}
