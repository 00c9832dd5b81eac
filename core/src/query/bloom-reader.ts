import type { Blockchain } from "../chain/blockchain.js";
import { BLOOM_BYTES, type Bloom } from "../primitives/bloom.js";

/** Finds the blooms of blocks that are asked for one after the other: many at once where that is offered. */
export class BloomReader {
  readonly #blocks: Blockchain;
  #run: { readonly from: bigint; readonly bytes: Uint8Array; readonly version: number } | undefined;

  constructor(blocks: Blockchain) {
    this.#blocks = blocks;
  }

  find(number: bigint): Bloom | undefined {
    return this.#findInRun(number) ?? this.#findInNextRun(number) ?? this.#blocks.findBloom(number);
  }

  #findInRun(number: bigint): Bloom | undefined {
    const run = this.#run;
    if (run === undefined || run.version !== this.#blocks.blooms?.version) return undefined;
    const start = Number(number - run.from) * BLOOM_BYTES;
    const isInside = start >= 0 && start < run.bytes.length;
    return isInside ? run.bytes.subarray(start, start + BLOOM_BYTES) : undefined;
  }

  #findInNextRun(number: bigint): Bloom | undefined {
    const source = this.#blocks.blooms;
    const bytes = source?.read(number);
    if (source === undefined || bytes === undefined) return undefined;
    this.#run = { from: number, bytes, version: source.version };
    return this.#findInRun(number);
  }
}
