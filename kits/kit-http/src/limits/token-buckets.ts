import { LruMap } from "@plinth/core/primitives";

/** How a bucket is filled, and how much it holds. */
export interface BucketSettings {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** A client that was not seen for longer has a full bucket anyway, or is one of too many. */
const MAX_BUCKETS = 10_000;

/** A bucket of tokens for each client, which fills again as time passes. */
export class TokenBuckets {
  readonly #settings: BucketSettings;
  /** In the order of their last use. */
  readonly #buckets = new LruMap<string, Bucket>({ max: MAX_BUCKETS });

  constructor(settings: BucketSettings) {
    this.#settings = settings;
  }

  /** Takes tokens: 0, or how many milliseconds the client has to wait until there are enough. */
  take(client: string, tokens: number, now: number): number {
    const { perSecond, burst } = this.#settings;
    const bucket = this.#find(client, now);
    // What costs more than a bucket holds needs a full one.
    const needed = Math.min(tokens, burst);
    if (bucket.tokens >= needed) {
      bucket.tokens -= tokens;
      return 0;
    }
    return Math.ceil(((needed - bucket.tokens) / perSecond) * 1000);
  }

  /** Puts tokens back that a client took for nothing. */
  giveBack(client: string, tokens: number): void {
    const bucket = this.#buckets.peek(client);
    if (bucket !== undefined) bucket.tokens += tokens;
  }

  /** How many clients are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  #find(client: string, now: number): Bucket {
    const { perSecond, burst } = this.#settings;
    const bucket = this.#buckets.get(client) ?? { tokens: burst, filledAt: now };
    const seconds = Math.max(0, now - bucket.filledAt) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond);
    bucket.filledAt = now;
    this.#buckets.add(client, bucket);
    return bucket;
  }
}
