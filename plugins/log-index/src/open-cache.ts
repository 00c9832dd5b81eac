import { join } from "node:path";
import {
  type Clock,
  type CommitEvent,
  type Logger,
  messageOf,
  RpcError,
  type Runtime,
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

  /** A batch is about to change the chain; a file that cannot be cut does not stop it. */
  commit(event: CommitEvent, log: Logger): void {
    if (this.#parts === undefined) return;
    for (const fault of this.#parts.cache.commit(event)) {
      log.warn(`A log bloom cache file cannot be cut and is not used: ${messageOf(fault)}`);
    }
    const first = event.removed.at(-1)?.header.number;
    if (first !== undefined) this.#parts.follower.rewound(first);
  }

  headMoved(): void {
    this.#parts?.follower.headMoved();
  }

  async follow(clock: Clock, signal: AbortSignal, delayMs: number): Promise<void> {
    await this.#parts?.follower.run(clock, signal, delayMs);
  }
}
