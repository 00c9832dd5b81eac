import { LruMap } from "@plinth/core/primitives";

/** The refill rate and the capacity of a bucket. */
export interface BucketSettings {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** A client not seen for longer has a full bucket anyway, or is one of too many. */
const MAX_BUCKETS = 10_000;

/** A token bucket for each client, which refills over time. */
export class TokenBuckets {
  readonly #settings: BucketSettings;
  /** In order of their last use. */
  readonly #buckets = new LruMap<string, Bucket>({ max: MAX_BUCKETS });

  constructor(settings: BucketSettings) {
    this.#settings = settings;
  }

  /** Takes tokens: returns 0, or the milliseconds to wait until there are enough. */
  take(client: string, tokens: number, now: number): number {
    const { perSecond, burst } = this.#settings;
    const bucket = this.#find(client, now);
    // A cost above the capacity requires a full bucket.
    const needed = Math.min(tokens, burst);
    if (bucket.tokens >= needed) {
      bucket.tokens -= tokens;
      return 0;
    }
    return Math.ceil(((needed - bucket.tokens) / perSecond) * 1000);
  }

  /** Returns tokens that a client took without using them. */
  giveBack(client: string, tokens: number): void {
    const bucket = this.#buckets.peek(client);
    if (bucket !== undefined) bucket.tokens += tokens;
  }

  /** Number of remembered clients. */
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
