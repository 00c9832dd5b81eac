import { join } from "node:path";
import {
  type Clock,
  type Logger,
  messageOf,
  RpcError,
  type Runtime,
  type SealedBlock,
  type Unavailable,
} from "@plinth/core";
import { BloomCache } from "./bloom-cache.js";
import { Follower } from "./follower.js";
import { Generation } from "./generation.js";

/** The cache of a chain with those who write it. */
export interface CacheParts {
  readonly cache: BloomCache;
  readonly generation: Generation;
  readonly follower: Follower;
}

/** The cache of the chain, from when it opens; there is none where there are no blocks. */
export class OpenCache {
  #parts: CacheParts | undefined;
  readonly #segmentBlocks: number;

  constructor(segmentBlocks: number) {
    this.#segmentBlocks = segmentBlocks;
  }

  open({
    chain,
    dataPath,
    signal,
  }: Pick<Runtime, "chain" | "dataPath" | "signal">): BloomCache | Unavailable {
    const { blocks } = chain;
    const cache = new BloomCache(join(dataPath, "caches"), blocks, this.#segmentBlocks);
    const generation = new Generation(cache);
    this.#parts = { cache, generation, follower: new Follower(cache, generation) };
    const withdraw = blocks.offerBlooms(cache);
    // Nobody tells it about blocks from then on.
    signal.addEventListener("abort", () => {
      withdraw();
      cache.retire();
    });
    return cache;
  }

  /** What is open; an error for callers where nothing is. */
  get parts(): CacheParts {
    if (this.#parts !== undefined) return this.#parts;
    throw RpcError.methodNotEnabled("the chain has no blocks");
  }

  /** Blocks are about to leave the chain, the last one first; what is wrong with files does not keep them. */
  leaving(blocks: readonly SealedBlock[], log: Logger): void {
    const first = blocks.at(-1)?.header.number;
    if (first === undefined || this.#parts === undefined) return;
    for (const fault of this.#parts.cache.rewind(first)) {
      log.warn(`A log bloom cache file cannot be cut and is not used: ${messageOf(fault)}`);
    }
    this.#parts.follower.rewound(first);
  }

  headMoved(): void {
    this.#parts?.cache.settled();
    this.#parts?.follower.headMoved();
  }

  async follow(clock: Clock, signal: AbortSignal, delayMs: number): Promise<void> {
    await this.#parts?.follower.run(clock, signal, delayMs);
  }
}
