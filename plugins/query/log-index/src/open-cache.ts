import { join } from "node:path";
import {
  type Clock,
  type CommitEvent,
  type Logger,
  messageOf,
  RpcError,
  type Runtime,
} from "@plinth/core";
import { BloomCache } from "./bloom-cache.js";
import { Follower } from "./follower.js";
import { Generation } from "./generation.js";

/** The cache of a chain with its writers. */
export interface CacheParts {
  readonly cache: BloomCache;
  readonly generation: Generation;
  readonly follower: Follower;
}

/** The cache of the chain, while the node is open. */
export class OpenCache {
  #parts: CacheParts | undefined;
  readonly #segmentBlocks: number;

  constructor(segmentBlocks: number) {
    this.#segmentBlocks = segmentBlocks;
  }

  open({ chain, dataPath, signal }: Pick<Runtime, "chain" | "dataPath" | "signal">): void {
    const { blocks } = chain;
    const cache = new BloomCache(join(dataPath, "caches"), blocks, this.#segmentBlocks);
    const generation = new Generation(cache);
    this.#parts = { cache, generation, follower: new Follower(cache, generation) };
    const withdraw = blocks.offerBlooms(cache);
    // It is not notified of any block from then on.
    signal.addEventListener("abort", () => {
      withdraw();
      cache.retire();
    });
  }

  /** The open cache; throws an RPC error if there is none. */
  get parts(): CacheParts {
    if (this.#parts !== undefined) return this.#parts;
    throw RpcError.methodNotEnabled("the log bloom cache is not open");
  }

  /**
   * Called before a batch changes the chain; a file that cannot be truncated does not prevent it.
   */
  commit(event: CommitEvent, log: Logger): void {
    if (this.#parts === undefined) return;
    for (const fault of this.#parts.cache.commit(event)) {
      log.warn(`Ignoring a log bloom cache file that cannot be truncated: ${messageOf(fault)}`);
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
