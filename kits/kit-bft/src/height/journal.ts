import { type Block, decodeRlp, encodeRlp, type PluginTable, type Rlp } from "@plinth/core";
import { blockFromRlp, blockToRlp, Fields, scalarBytes } from "@plinth/core/blocks";
import type { TableChange } from "@plinth/core/storage";
import type { Mark, SignedMark } from "@plinth/kit-poa";
import type { Dialect } from "../messages/dialect.js";
import {
  type BftMessage,
  type Certificate,
  keyOf,
  type Prepare,
  type Proposal,
  type RoundChange,
} from "../messages/messages.js";
import type { OwnRecord } from "./height.js";

const CERTIFICATE = "certificate";
const MARK = "mark";

/**
 * What this node has signed, on disk before it is sent.
 *
 * A validator that contradicts itself after a crash can split the chain, and only the disk has the
 * record. The journal contains the messages of one height, the highest; of earlier heights only
 * that they were signed.
 */
export class Journal<P extends Proposal, R extends RoundChange> {
  readonly #table: PluginTable;
  readonly #dialect: Dialect<P, R>;
  readonly #mark: SignedMark;
  /** Entries on disk of this height. */
  readonly #keys = new Set<string>();
  /** Entries on disk of other heights; removed by the next write. */
  readonly #stale = new Set<string>();
  #height: bigint | undefined;

  constructor(table: PluginTable, dialect: Dialect<P, R>, mark: SignedMark) {
    this.#table = table;
    this.#dialect = dialect;
    this.#mark = mark;
  }

  /** The option with which the operator lets this node sign again. */
  get signFromOption(): string {
    return this.#mark.option;
  }

  /** Determines how far this node has signed. */
  async open(): Promise<void> {
    let stored: Uint8Array | undefined;
    let known = 0n;
    const removals: TableChange[] = [];
    for await (const [key, value] of this.#table.iterate()) {
      if (Buffer.from(key).toString() === MARK) {
        stored = value;
        continue;
      }
      const height = new Fields("journal", decodeRlp(value)).uint64("height");
      if (height > known) known = height;
      removals.push([key, undefined]);
    }
    const opened = await this.#mark.open(stored, known);
    if (opened === undefined) return;
    const { mark, isVoid } = opened;
    const changes = [...(isVoid ? removals : []), this.#markEntry(mark)];
    await this.#table.write(changes, { durable: true });
    await this.#mark.written(mark);
  }

  /** Why nothing may be signed at a height; `undefined` if its record is complete. */
  findObstacle(height: bigint): string | undefined {
    return this.#mark.explain(height, this.#mark.current.height);
  }

  /** Forgets the messages of other heights; returns what was signed at this one. */
  async begin(height: bigint): Promise<OwnRecord<P, R>> {
    const isAhead = this.#height !== undefined && height > this.#height;
    this.#height = height;
    if (!isAhead) return this.#read(height);
    // At the height after the previous one nothing has been signed yet, so that the disk need not
    // be read.
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
      if (name === MARK) continue;
      // Entries of other heights are not decoded: they may be of another version of the node.
      if (entry.uint64("height") !== height) {
        this.#stale.add(name);
        continue;
      }
      const kept = this.#readMessages(entry);
      this.#keys.add(name);
      const block = entry.hasMore() ? blockFromRlp(entry.item("block")) : undefined;
      if (name === CERTIFICATE) certificate = certificateOf(kept, block);
      else messages.push(...kept);
    }
    return { messages, certificate };
  }

  /** Whether a message of this height is on disk. */
  has(message: BftMessage<P, R>): boolean {
    return message.height === this.#height && this.#keys.has(keyOf(message));
  }

  /** Writes messages; they are on disk when the promise settles. */
  async add(
    messages: readonly BftMessage<P, R>[],
    certificate: Certificate<P> | undefined,
  ): Promise<void> {
    const fresh = messages.filter((message) => !this.#keys.has(keyOf(message)));
    const entries = fresh.map((message) => this.#entry(keyOf(message), [message]));
    if (certificate !== undefined) {
      const { proposal, prepares, block } = certificate;
      entries.push(this.#entry(CERTIFICATE, [proposal, ...prepares], block));
    }
    if (entries.length === 0) return;
    const removals = [...this.#stale].map((key): TableChange => [Buffer.from(key), undefined]);
    const round = Math.max(0, ...fresh.map((message) => message.round));
    const mark = this.#mark.next({ height: this.#height ?? 0n, round });
    // In this order: a stale entry may have the key of a new one.
    await this.#table.write([...removals, ...entries, this.#markEntry(mark)], { durable: true });
    await this.#mark.written(mark);
    this.#stale.clear();
    for (const message of fresh) this.#keys.add(keyOf(message));
    if (certificate !== undefined) this.#keys.add(CERTIFICATE);
  }

  #markEntry(mark: Mark): TableChange {
    return [Buffer.from(MARK), this.#mark.encode(mark)];
  }

  #entry(key: string, messages: readonly BftMessage<P, R>[], block?: Block): TableChange {
    const items = messages.map(({ code, bytes }) => [scalarBytes(BigInt(code)), bytes]);
    const more = block === undefined ? [] : [blockToRlp(block)];
    return [Buffer.from(key), encodeRlp([scalarBytes(this.#height ?? 0n), items, ...more])];
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
  block: Block | undefined,
): Certificate<P> | undefined {
  const proposal = messages.find((message): message is P => message.kind === "proposal");
  const prepares = messages.filter((message): message is Prepare => message.kind === "prepare");
  return proposal && { proposal, prepares, ...(block && { block }) };
}
