import { hexToBytes, type Log } from "@plinth/core";
import type { LogCriteria } from "@plinth/core/chain";
import {
  type Bloom,
  type BloomBits,
  bloomBits,
  hasBits,
  isEmptyBloom,
} from "@plinth/core/primitives";
import { ByteSet } from "./byte-set.js";
import { type LogPlace, type LogTest, TOPIC_DISTANCE } from "./receipt-logs.js";

/** Matches logs against criteria; their bloom bits are computed once. */
export class LogMatcher implements LogTest {
  readonly criteria: LogCriteria;
  readonly #addresses: ByteSet;
  readonly #topics: readonly ByteSet[];
  /** Every group must have a value in the bloom. */
  readonly #groups: readonly (readonly BloomBits[])[];

  constructor(criteria: LogCriteria) {
    const { addresses, topics } = criteria;
    this.criteria = criteria;
    this.#addresses = new ByteSet(addresses);
    this.#topics = topics.map((alternatives) => new ByteSet(alternatives));
    this.#groups = [addresses, ...topics]
      .filter((values) => values.length > 0)
      .map((values) => values.map((value) => bloomBits(hexToBytes(value))));
  }

  /**
   * Whether logs with this bloom, or the one at an offset, may contain a match; never `false` if
   * they do.
   */
  mayMatch(bloom: Bloom, offset = 0): boolean {
    // Without a filter every log matches, and a block with an empty bloom has none.
    if (this.#groups.length === 0) return !isEmptyBloom(bloom, offset);
    for (const group of this.#groups) {
      if (!group.some((bits) => hasBits(bloom, bits, offset))) return false;
    }
    return true;
  }

  /** Whether a log matches. */
  matches({ address, topics }: Log): boolean {
    if (this.#addresses.size > 0 && !this.#addresses.has(address)) return false;
    if (this.#topics.length === 0) return true;
    if (topics.length < this.#topics.length) return false;
    return this.#topics.every(
      (wanted, position) => wanted.size === 0 || wanted.has(topics[position] ?? "0x"),
    );
  }

  /** The same for a log that is not decoded. */
  matchesAt({ bytes, addressAt, topicsAt, topicCount }: LogPlace): boolean {
    if (topicCount < this.#topics.length) return false;
    let at = topicsAt;
    for (const wanted of this.#topics) {
      if (wanted.size > 0 && !wanted.hasAt(bytes, at)) return false;
      at += TOPIC_DISTANCE;
    }
    return this.#addresses.size === 0 || this.#addresses.hasAt(bytes, addressAt);
  }
}
