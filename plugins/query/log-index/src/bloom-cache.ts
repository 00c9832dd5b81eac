import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  type BlockReader,
  type CommitEvent,
  type Hash,
  PlinthError,
  yieldToLoop,
} from "@plinth/core";
import type { BloomSource } from "@plinth/core/chain";
import { BLOOM_BYTES } from "@plinth/core/primitives";
import { PendingRewind } from "@plinth/kit-index";
import { SegmentSeals } from "./segment-seals.js";

/** Number of blocks per file. */
export const SEGMENT_BLOCKS = 100_000;

const VERSION = 3;
const METADATA = "CACHE_METADATA.json";
const WORK_FILE = "logBloom-current.cache";
const CACHE_FILE = /^logBloom-(\d+)\.cache$/;
/** A mebibyte. */
const BLOOMS_PER_READ = 4096;
/** Number of headers read before yielding to others. */
const BLOOMS_PER_STEP = 500;

/** The parts of a chain that the cache needs. */
export type CachedChain = Pick<BlockReader, "head" | "findBloom" | "findHeader">;

/**
 * The blooms of consecutive blocks in files, so that searches need not read headers.
 *
 * A complete file is put in place by renaming it. A partial one is only used by the process that wrote it. Blocks that
 * leave the chain are truncated in advance: a file may lack blooms, but never has a wrong one.
 */
export class BloomCache implements BloomSource {
  readonly #folder: string;
  readonly #chain: CachedChain;
  readonly #segmentBlocks: number;
  readonly #seals: SegmentSeals;
  /** Number of blooms in the file of a segment. */
  readonly #counts = new Map<number, number>();
  readonly #rewind: PendingRewind;
  #version = 0;

  constructor(folder: string, chain: CachedChain, segmentBlocks = SEGMENT_BLOCKS) {
    this.#folder = folder;
    this.#chain = chain;
    this.#segmentBlocks = segmentBlocks;
    this.#seals = new SegmentSeals(folder);
    this.#rewind = new PendingRewind(chain);
    if (!existsSync(folder)) return;
    const isKnown = readVersion(join(folder, METADATA)) >= VERSION;
    for (const name of readdirSync(folder)) this.#take(name, isKnown);
  }

  get version(): number {
    return this.#version;
  }

  /** Its content is no longer kept up to date. */
  retire(): void {
    this.#version += 1;
  }

  /** Number of complete segments. */
  get completeSegments(): number {
    return this.segmentOf(this.#chain.head().number + 1n);
  }

  segmentOf(number: bigint): number {
    return Number(number / BigInt(this.#segmentBlocks));
  }

  firstOf(segment: number): bigint {
    return BigInt(segment) * BigInt(this.#segmentBlocks);
  }

  /** Number of complete files that start in a range of blocks. */
  countWhole(from: bigint, to: bigint): number {
    const segments = [...this.#counts.keys()].filter((segment) => this.isWhole(segment));
    return segments.map((segment) => this.firstOf(segment)).filter((at) => at >= from && at <= to)
      .length;
  }

  isWhole(segment: number): boolean {
    return this.#counts.get(segment) === this.#segmentBlocks;
  }

  read(from: bigint): Uint8Array | undefined {
    const segment = this.segmentOf(from);
    const index = Number(from - this.firstOf(segment));
    const left = (this.#counts.get(segment) ?? 0) - index;
    if (left <= 0) return undefined;
    const bytes = this.#readFile(segment, index, Math.min(left, BLOOMS_PER_READ));
    if (bytes === undefined) this.#counts.delete(segment);
    return bytes;
  }

  /**
   * Truncates the blocks that a batch removes from the chain, before it is written; returns why files could not be truncated.
   *
   * Such a file is no longer used and is rebuilt: the next write to it starts empty.
   */
  commit(event: Pick<CommitEvent, "removed" | "batch">): readonly unknown[] {
    this.#rewind.begin(event);
    const { first } = this.#rewind;
    if (first === undefined) return [];
    this.#version += 1;
    const faults: unknown[] = [];
    for (const segment of [...this.#counts.keys()]) {
      try {
        this.#cut(segment, first);
      } catch (error) {
        this.#counts.delete(segment);
        faults.push(error);
      }
    }
    return faults;
  }

  /** Whether no block is leaving the chain. */
  get isSettled(): boolean {
    return this.#rewind.first === undefined;
  }

  /** Removes the file of a segment. */
  remove(segment: number): void {
    this.#version += 1;
    this.#counts.delete(segment);
    rmSync(this.#pathOf(segment), { force: true });
  }

  /** Adds the blooms of the last blocks, which do not fill a file; `true` if there are more. */
  extend(): boolean {
    if (!this.isSettled) return false;
    const segment = this.completeSegments;
    const wanted = Number(this.#chain.head().number + 1n - this.firstOf(segment));
    const count = this.#counts.get(segment) ?? 0;
    if (count >= wanted) return false;
    if (count > 0 && !existsSync(this.#pathOf(segment))) {
      this.#counts.delete(segment);
      return true;
    }
    const bytes = this.#readChain(segment, count, Math.min(wanted, count + BLOOMS_PER_STEP));
    this.#prepareFolder();
    const file = openSync(this.#pathOf(segment), count === 0 ? "w" : "r+");
    try {
      writeSync(file, bytes, 0, bytes.length, count * BLOOM_BYTES);
    } finally {
      closeSync(file);
    }
    this.#counts.set(segment, count + bytes.length / BLOOM_BYTES);
    return true;
  }

  /**
   * Writes the complete file of a segment; `false` if the chain changed meanwhile, or on a stop.
   */
  async write(
    segment: number,
    { signal, progress }: { readonly signal: AbortSignal; progress?(block: bigint): void },
  ): Promise<boolean> {
    const version = this.#version;
    const work = join(this.#folder, WORK_FILE);
    const isStale = () => signal.aborted || version !== this.#version || !this.isSettled;
    if (isStale()) return false;
    this.#prepareFolder();
    const file = await open(work, "w");
    try {
      for (let index = 0; index < this.#segmentBlocks && !isStale(); index += BLOOMS_PER_STEP) {
        const end = Math.min(index + BLOOMS_PER_STEP, this.#segmentBlocks);
        await file.write(this.#readChain(segment, index, end));
        progress?.(this.firstOf(segment) + BigInt(end - 1));
        await yieldToLoop();
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (isStale()) {
      rmSync(work, { force: true });
      return false;
    }
    const last = this.#lastHashOf(segment);
    if (last === undefined) return false;
    this.#seals.set(segment, last);
    renameSync(work, this.#pathOf(segment));
    this.#counts.set(segment, this.#segmentBlocks);
    return true;
  }

  #cut(segment: number, first: bigint): void {
    const kept = Number(first - this.firstOf(segment));
    if (kept <= 0) this.remove(segment);
    else if ((this.#counts.get(segment) ?? 0) > kept) {
      const path = this.#pathOf(segment);
      if (existsSync(path)) truncateSync(path, kept * BLOOM_BYTES);
      this.#counts.set(segment, kept);
    }
  }

  #lastHashOf(segment: number): Hash | undefined {
    return this.#chain.findHeader(this.firstOf(segment + 1) - 1n)?.hash;
  }

  /** Keeps a complete file that belongs to this chain; any other one is rebuilt. */
  #take(name: string, isKnown: boolean): void {
    const path = join(this.#folder, name);
    const segment = Number(CACHE_FILE.exec(name)?.[1] ?? Number.NaN);
    const isWhole =
      isKnown &&
      segment < this.completeSegments &&
      this.#seals.find(segment) === this.#lastHashOf(segment) &&
      statSync(path).size === this.#segmentBlocks * BLOOM_BYTES;
    if (isWhole) this.#counts.set(segment, this.#segmentBlocks);
    else if (CACHE_FILE.test(name) || name === WORK_FILE) rmSync(path);
  }

  #readChain(segment: number, from: number, to: number): Uint8Array {
    const bytes = new Uint8Array((to - from) * BLOOM_BYTES);
    const first = this.firstOf(segment);
    for (let index = from; index < to; index++) {
      const bloom = this.#chain.findBloom(first + BigInt(index));
      if (bloom === undefined) {
        const message = `block ${first + BigInt(index)} of the chain is missing; run \`db verify\``;
        throw new PlinthError("BLOOM_MISSING", { message });
      }
      bytes.set(bloom, (index - from) * BLOOM_BYTES);
    }
    return bytes;
  }

  /** Operators may remove files at any time; `undefined` then. */
  #readFile(segment: number, index: number, count: number): Uint8Array | undefined {
    let file: number;
    try {
      file = openSync(this.#pathOf(segment), "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    try {
      const bytes = Buffer.allocUnsafe(count * BLOOM_BYTES);
      const length = readSync(file, bytes, 0, bytes.length, index * BLOOM_BYTES);
      return length < bytes.length ? undefined : bytes;
    } finally {
      closeSync(file);
    }
  }

  #prepareFolder(): void {
    mkdirSync(this.#folder, { recursive: true });
    const path = join(this.#folder, METADATA);
    if (readVersion(path) < VERSION) writeFileSync(path, JSON.stringify({ version: VERSION }));
  }

  #pathOf(segment: number): string {
    return join(this.#folder, `logBloom-${segment}.cache`);
  }
}

/** 0 for a missing or foreign file. */
function readVersion(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    return Number(Object(JSON.parse(readFileSync(path, "utf8"))).version) || 0;
  } catch (error) {
    if (error instanceof SyntaxError) return 0;
    throw error;
  }
}
