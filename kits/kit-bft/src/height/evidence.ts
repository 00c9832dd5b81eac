import { type Address, encodeRlp, hexToBytes, type PluginTable } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import type { Commit, Prepare, Proposal } from "../messages/messages.js";

/** A message that names the block its author supports. */
export type Vote = Proposal | Prepare | Commit;

/** Two contradicting messages of one validator: it is faulty, or two nodes use its key. */
export interface Contradiction {
  readonly first: Vote;
  readonly second: Vote;
}

/**
 * Maximum number of stored contradictions per validator, the latest; a constant liar must not fill
 * the disk.
 */
const MAX_PER_AUTHOR = 10;
/** Maximum number of validators with stored contradictions. */
const MAX_AUTHORS = 100;
/** Of a larger message, such as a proposal with many transactions, only the digest is stored. */
const MAX_BYTES = 128 * 1024;

/** The contradictions of one validator, by height. */
type Kept = readonly string[];

/** Proof of validators' contradictions, on disk for the operators that have to deal with them. */
export class Evidence {
  readonly #table: PluginTable;
  /** The keys of the table by validator, in height order. */
  readonly #kept = new Map<Address, Kept>();

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** Loads the stored contradictions. */
  async open(): Promise<void> {
    this.#kept.clear();
    for await (const [bytes] of this.#table.iterate()) {
      const key = Buffer.from(bytes).toString();
      this.#remember(authorOf(key), key);
    }
  }

  /** Stores a contradiction, replacing an old one of the same validator; false if it is known. */
  async add({ first, second }: Contradiction): Promise<boolean> {
    const key = keyOf(first);
    const known = this.#kept.get(first.author);
    if (known?.includes(key) === true) return false;
    if (known === undefined && this.#kept.size >= MAX_AUTHORS) return false;
    const messages = [first, second].map(({ code, bytes, digest }) => [
      scalarBytes(BigInt(code)),
      bytes.length <= MAX_BYTES ? bytes : hexToBytes(digest),
    ]);
    const dropped = this.#remember(first.author, key);
    await this.#table.write(
      [
        ...dropped.map((each) => [Buffer.from(each), undefined] as const),
        [Buffer.from(key), encodeRlp(messages)],
      ],
      { durable: true },
    );
    return true;
  }

  /** The message for the operator; `undefined` if no validator has contradicted itself. */
  describe(): string | undefined {
    if (this.#kept.size === 0) return undefined;
    const latest = [...this.#kept.values()].map((keys) => describeKey(keys.at(-1) ?? ""));
    return `${latest.join("; ")}. A validator does so when its key is used by two nodes, or when it was restored from a backup`;
  }

  /** Returns the surplus keys. */
  #remember(author: Address, key: string): readonly string[] {
    const keys = [...(this.#kept.get(author) ?? []), key].sort();
    const dropped = keys.splice(0, Math.max(0, keys.length - MAX_PER_AUTHOR));
    this.#kept.set(author, keys);
    return dropped;
  }
}

/** A description of the contradiction: the same for each pair of messages of its kind and round. */
export function describeContradiction(vote: Vote): string {
  return describeKey(keyOf(vote));
}

/** Heights and rounds have leading zeros, so that keys sort numerically. */
function keyOf({ author, kind, height, round }: Vote): string {
  return `${author} ${String(height).padStart(20, "0")} ${String(round).padStart(10, "0")} ${kind}`;
}

function authorOf(key: string): Address {
  return key.slice(0, key.indexOf(" ")) as Address;
}

function describeKey(key: string): string {
  const [author, height, round, kind] = key.split(" ");
  return `${author} signed two different ${kind}s in round ${Number(round)} of block ${BigInt(height ?? 0)}`;
}
