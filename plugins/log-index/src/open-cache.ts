import { join } from "node:path";
import {
  type Clock,
  RpcError,
  type Runtime,
  type SealedBlock,
  type Unavailable,
  unavailable,
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
  #withdraw: () => void = () => {};
  readonly #segmentBlocks: number;

  constructor(segmentBlocks: number) {
    this.#segmentBlocks = segmentBlocks;
  }

  open({ chain, dataPath }: Pick<Runtime, "chain" | "dataPath">): BloomCache | Unavailable {
    const { blocks } = chain;
    if (blocks === undefined) return unavailable("the chain has no blocks");
    const cache = new BloomCache(join(dataPath, "caches"), blocks, this.#segmentBlocks);
    const generation = new Generation(cache);
    this.#parts = { cache, generation, follower: new Follower(cache, generation) };
    this.#withdraw = blocks.offerBlooms(cache);
    return cache;
  }

  /** What is open; an error for callers where nothing is. */
  get parts(): CacheParts {
    if (this.#parts !== undefined) return this.#parts;
    throw RpcError.methodNotEnabled("the chain has no blocks");
  }

  /** Blocks are about to leave the chain, the last one first. */
  leaving(blocks: readonly SealedBlock[]): void {
    const first = blocks.at(-1)?.header.number;
    if (first === undefined) return;
    this.#parts?.cache.rewind(first);
    this.#parts?.follower.rewound(first);
  }

  headMoved(): void {
    this.#parts?.cache.settled();
    this.#parts?.follower.headMoved();
  }

  async follow(clock: Clock, signal: AbortSignal, delayMs: number): Promise<void> {
    await this.#parts?.follower.run(clock, signal, delayMs);
  }

  /** Searches do without it from now on. */
  close(): void {
    this.#withdraw();
  }
}
