import { toHex } from "./format.js";
import { CallError, call } from "./rpc.js";
import type { Log } from "./types.js";

/** Ranges that are tried, the widest first: a node may limit them. */
const SPANS = [1_000_000, 100_000, 5000, 1000];

/** A filter without its range. */
export interface LogFilter {
  readonly address?: string;
  readonly topics: readonly (string | readonly string[] | null)[];
}

/** Reads logs from the head backwards, one range of blocks at a time. */
export class LogWindows {
  readonly #filters: readonly LogFilter[];
  #next: number;
  #span = 0;

  constructor(filters: readonly LogFilter[], head: number) {
    this.#filters = filters;
    this.#next = head;
  }

  /** The first block that has been read. */
  get from(): number {
    return this.#next + 1;
  }

  get isComplete(): boolean {
    return this.#next < 0;
  }

  /** The logs of the next range, newest first, each once. */
  async read(): Promise<readonly Log[]> {
    for (;;) {
      const from = Math.max(0, this.#next - this.#width + 1);
      try {
        const logs = await this.#readRange(from, this.#next);
        this.#next = from - 1;
        return logs;
      } catch (error) {
        // Too many blocks or logs at once: the next narrower range may do.
        const canShrink = error instanceof CallError && this.#span + 1 < SPANS.length;
        if (!canShrink || error.isMissing || error.isUnauthorized || error.isUnreachable) {
          throw error;
        }
        this.#span += 1;
      }
    }
  }

  get #width(): number {
    return SPANS[this.#span] ?? 1000;
  }

  async #readRange(from: number, to: number): Promise<readonly Log[]> {
    const range = { fromBlock: toHex(from), toBlock: toHex(to) };
    const lists = await Promise.all(
      this.#filters.map((filter) => call<readonly Log[]>("eth_getLogs", [{ ...range, ...filter }])),
    );
    const unique = new Map(
      lists.flat().map((log) => [`${log.blockNumber} ${log.logIndex}`, log] as const),
    );
    return [...unique.values()].sort(
      (a, b) =>
        Number(b.blockNumber) - Number(a.blockNumber) || Number(b.logIndex) - Number(a.logIndex),
    );
  }
}
