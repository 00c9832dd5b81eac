import { type Hash, parseHex, toHex } from "@plinth/core";

/** A run of consecutive blocks, and the hash of the last one, which commits to all before it. */
export interface CoveredRun {
  readonly first: bigint;
  readonly last: bigint;
  readonly hash: Hash;
}

const RUN_BYTES = 48;

/** Which blocks of the canonical chain are in the index: runs with gaps between them. */
export class Coverage {
  readonly runs: readonly CoveredRun[];

  constructor(runs: readonly CoveredRun[] = []) {
    this.runs = runs;
  }

  static decode(bytes: Uint8Array): Coverage {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const runs = Array.from({ length: Math.floor(view.length / RUN_BYTES) }, (_, index) => ({
      first: view.readBigUInt64BE(index * RUN_BYTES),
      last: view.readBigUInt64BE(index * RUN_BYTES + 8),
      hash: toHex(view.subarray(index * RUN_BYTES + 16, (index + 1) * RUN_BYTES)),
    }));
    return new Coverage(runs);
  }

  encode(): Uint8Array {
    const bytes = Buffer.alloc(this.runs.length * RUN_BYTES);
    for (const [index, { first, last, hash }] of this.runs.entries()) {
      bytes.writeBigUInt64BE(first, index * RUN_BYTES);
      bytes.writeBigUInt64BE(last, index * RUN_BYTES + 8);
      bytes.set(parseHex(hash) ?? [], index * RUN_BYTES + 16);
    }
    return bytes;
  }

  /** Number of covered blocks. */
  get count(): bigint {
    return this.runs.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  }

  /** The run that contains a block. */
  find(number: bigint): CoveredRun | undefined {
    return this.runs.find(({ first, last }) => first <= number && number <= last);
  }

  /** The first run after a block. */
  findAfter(number: bigint): CoveredRun | undefined {
    return this.runs.find(({ first }) => first > number);
  }

  /** First missing block, from a block on. */
  firstMissing(start: bigint): bigint {
    const run = this.find(start);
    return run === undefined ? start : run.last + 1n;
  }

  /** Returns a copy with one more run, merged with adjacent ones. */
  with(run: CoveredRun): Coverage {
    const isApart = ({ first, last }: CoveredRun) => last + 1n < run.first || first > run.last + 1n;
    const joined = [run, ...this.runs.filter((other) => !isApart(other))];
    const longest = joined.reduce((best, other) => (other.last > best.last ? other : best));
    const first = joined.reduce(
      (least, other) => (other.first < least ? other.first : least),
      run.first,
    );
    const runs = [...this.runs.filter(isApart), { ...longest, first }];
    return new Coverage(runs.sort((a, b) => (a.first < b.first ? -1 : 1)));
  }

  /** Returns a copy without the blocks after the given one, whose hash is required. */
  upTo(last: bigint, hash: Hash): Coverage {
    const kept = this.runs.filter(({ first }) => first <= last);
    return new Coverage(kept.map((run) => (run.last > last ? { ...run, last, hash } : run)));
  }
}
