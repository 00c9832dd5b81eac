import {
  decodeRlp,
  encodeRlp,
  Fields,
  type PluginTable,
  type Rlp,
  scalarBytes,
  type TableChange,
} from "@plinth/core";
import type { Dialect } from "./dialect.js";
import type { OwnRecord } from "./height.js";
import {
  type BftMessage,
  type Certificate,
  keyOf,
  type Prepare,
  type Proposal,
  type RoundChange,
} from "./messages.js";

const CERTIFICATE = "certificate";

/**
 * What this node has signed, on disk before it is sent.
 *
 * A validator that contradicts itself after a crash can split the chain, and only the disk knows what it has said. The
 * journal is about one height: that of the next block.
 */
export class Journal<P extends Proposal, R extends RoundChange> {
  readonly #table: PluginTable;
  readonly #dialect: Dialect<P, R>;
  /** What is on disk of this height. */
  readonly #keys = new Set<string>();
  /** What is on disk of other heights; the next write removes it. */
  readonly #stale = new Set<string>();
  #height: bigint | undefined;

  constructor(table: PluginTable, dialect: Dialect<P, R>) {
    this.#table = table;
    this.#dialect = dialect;
  }

  /** Forgets other heights; answers what was signed at this one. */
  async open(height: bigint): Promise<OwnRecord<P, R>> {
    const isAhead = this.#height !== undefined && height > this.#height;
    this.#height = height;
    if (!isAhead) return this.#read(height);
    // Nothing was signed yet at a height that comes after the one before, so the disk need not be asked.
    for (const key of this.#keys) this.#stale.add(key);
    this.#keys.clear();
    return { messages: [], certificate: undefined };
  }

  async #read(height: bigint): Promise<OwnRecord<P, R>> {
    const messages: BftMessage<P, R>[] = [];
    let certificate: Certificate<P> | undefined;
    this.#keys.clear();
    this.#stale.clear();
    for await (const [key, value] of this.#table.iterate()) {
      const entry = new Fields("journal", decodeRlp(value));
      const name = Buffer.from(key).toString();
      // What was signed at other heights is not read: this may be another version of the node.
      if (entry.uint64("height") !== height) {
        this.#stale.add(name);
        continue;
      }
      const kept = this.#readMessages(entry);
      this.#keys.add(name);
      if (name === CERTIFICATE) certificate = certificateOf(kept);
      else messages.push(...kept);
    }
    return { messages, certificate };
  }

  /** Whether a message of this height is on the disk. */
  has(message: BftMessage<P, R>): boolean {
    return message.height === this.#height && this.#keys.has(keyOf(message));
  }

  /** Writes messages down; they are on the disk when the promise settles. */
  async add(
    messages: readonly BftMessage<P, R>[],
    certificate: Certificate<P> | undefined,
  ): Promise<void> {
    const fresh = messages.filter((message) => !this.#keys.has(keyOf(message)));
    const entries = fresh.map((message) => this.#entry(keyOf(message), [message]));
    if (certificate !== undefined) {
      const { proposal, prepares } = certificate;
      entries.push(this.#entry(CERTIFICATE, [proposal, ...prepares]));
    }
    if (entries.length === 0) return;
    const removals = [...this.#stale].map((key): TableChange => [Buffer.from(key), undefined]);
    // In this order: what is stale may have the key of an entry.
    await this.#table.write([...removals, ...entries], { durable: true });
    this.#stale.clear();
    for (const message of fresh) this.#keys.add(keyOf(message));
    if (certificate !== undefined) this.#keys.add(CERTIFICATE);
  }

  #entry(key: string, messages: readonly BftMessage<P, R>[]): TableChange {
    const items = messages.map(({ code, bytes }) => [scalarBytes(BigInt(code)), bytes]);
    return [Buffer.from(key), encodeRlp([scalarBytes(this.#height ?? 0n), items])];
  }

  #readMessages(entry: Fields): readonly BftMessage<P, R>[] {
    return entry.list("messages").map((item: Rlp) => {
      const fields = new Fields("journal.message", item);
      return this.#dialect.decode(Number(fields.uint64("code")), fields.bytes("bytes"));
    });
  }
}

function certificateOf<P extends Proposal, R extends RoundChange>(
  messages: readonly BftMessage<P, R>[],
): Certificate<P> | undefined {
  const proposal = messages.find((message): message is P => message.kind === "proposal");
  const prepares = messages.filter((message): message is Prepare => message.kind === "prepare");
  return proposal && { proposal, prepares };
}
