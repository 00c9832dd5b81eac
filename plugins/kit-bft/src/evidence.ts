import { encodeRlp, hexToBytes, type PluginTable, scalarBytes } from "@plinth/core";
import type { Commit, Prepare, Proposal } from "./messages.js";

/** A message that says which block its author is for. */
export type Vote = Proposal | Prepare | Commit;

/** Two messages of one validator that contradict each other: it is faulty, or two nodes use its key. */
export interface Contradiction {
  readonly first: Vote;
  readonly second: Vote;
}

/** A validator that contradicts itself all the time must not fill the disk. */
const MAX_KEPT = 100;
/** Of a larger message, such as a proposal with many transactions, only the digest is kept. */
const MAX_BYTES = 128 * 1024;

/** Proof that validators have contradicted themselves, on disk for the operators who have to deal with them. */
export class Evidence {
  readonly #table: PluginTable;
  /** What each entry of the table is about. */
  readonly #kept = new Set<string>();

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** Reads what is known from before. */
  async open(): Promise<void> {
    this.#kept.clear();
    for await (const [key] of this.#table.iterate()) {
      this.#kept.add(Buffer.from(key).toString());
    }
  }

  /** Keeps a contradiction; false when it is known, or as many are as can be kept. */
  async add({ first, second }: Contradiction): Promise<boolean> {
    const name = describeContradiction(first);
    if (this.#kept.has(name) || this.#kept.size >= MAX_KEPT) return false;
    this.#kept.add(name);
    const messages = [first, second].map(({ code, bytes, digest }) => [
      scalarBytes(BigInt(code)),
      bytes.length <= MAX_BYTES ? bytes : hexToBytes(digest),
    ]);
    await this.#table.write([[Buffer.from(name), encodeRlp(messages)]], { durable: true });
    return true;
  }

  /** What an operator should know; `undefined` when no validator has contradicted itself. */
  describe(): string | undefined {
    const latest = [...this.#kept].at(-1);
    if (latest === undefined) return undefined;
    const count = this.#kept.size;
    const before = count === 1 ? "" : `; ${count - 1} more such contradictions are known`;
    return `${latest}${before}. A validator does so when its key is used by two nodes, or when it was restored from a backup`;
  }
}

/** What a validator did, in words: the same for each pair of messages of its kind and round. */
export function describeContradiction({ author, kind, height, round }: Vote): string {
  return `${author} signed two different ${kind}s in round ${round} of block ${height}`;
}
