import type { BlockReader, CommitEvent, Hash, PluginTable, SealedHeader } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import type { BlockWriter, FollowedBlock } from "@plinth/core/chain";
import { BrokenChain, type ChangeRecord, RecordChain } from "@plinth/plugin-changes/api";
import type { ReadChange } from "../source/read-change.js";
import { SourceProblem } from "../source/source-problem.js";
import { encodePosition, POSITION_KEY, type Position } from "./position.js";
import { sealSent } from "./seal-sent.js";

/** The chain of a replica. */
export interface ReplicatedChain {
  readonly blocks: Pick<BlockReader, "head" | "findHeader" | "hasState" | "seal" | "finality">;
  readonly writer: Pick<BlockWriter, "follow" | "setHead">;
}

/**
 * Applies the records of a source, from a position on: each block is verified and written together with the position after it.
 *
 * Removed blocks stay until what follows them has come, so that a reorganization is one change here as well. Whatever cannot be
 * true is a `SourceProblem`.
 */
export class RecordApplier {
  readonly #source: string;
  readonly #chain: ReplicatedChain;
  readonly #id: Hash;
  readonly #records: RecordChain;
  /** The head of the source after the last record. */
  #tip: SealedHeader;
  /** Whether the source has removed blocks that this chain has. */
  #hasLeft = false;
  /** The position after the current commit. */
  #pending: Position | undefined;

  constructor(source: string, chain: ReplicatedChain, { id, sequence, hash, tip }: Position) {
    this.#source = source;
    this.#chain = chain;
    this.#id = id;
    this.#records = new RecordChain({ sequence, hash });
    this.#tip = this.#getHeader(tip);
  }

  /** The last record that was applied. */
  get position(): Position {
    return { id: this.#id, ...this.#records.last, tip: this.#tip.hash };
  }

  /** Verifies a record and what it is about, and applies it; rejects with `SourceProblem`. */
  async apply({ record, followed }: ReadChange): Promise<void> {
    // A final block is only left for another one after the source has removed it.
    const isNewBranch = followed !== undefined && this.#hasLeft;
    if (isNewBranch && this.#chain.blocks.finality === "instant") await this.settle();
    this.#verifyNext(record);
    if (followed === undefined) this.#remove(record);
    else await this.#add(record, followed);
    if (this.#tip.hash === this.#chain.blocks.head().hash) this.#hasLeft = false;
  }

  /** After all records of the source: makes its head the head of this chain, unless it is only behind. */
  async settle(): Promise<void> {
    const { blocks, writer } = this.#chain;
    const head = blocks.head();
    const tip = this.#tip;
    if (tip.hash === head.hash) return;
    const isBehind = blocks.findHeader(tip.number)?.hash === tip.hash;
    if (isBehind && !this.#hasLeft) return;
    if (!isBehind && !this.#hasLeft && blocks.finality === "instant" && !this.#isAhead(head)) {
      throw new SourceProblem(
        this.#source,
        `its head is the block ${tip.number} (${tip.hash}), which does not follow the final block ${head.number} (${head.hash}) of this replica, and it has not removed that block`,
      );
    }
    this.#pending = this.position;
    await writer.setHead(tip.hash);
    this.#hasLeft = false;
  }

  /** Adds the position to the batch of the current commit; others belong to the operator. */
  commit({ block, added, removed, batch }: CommitEvent, table: PluginTable): void {
    const head =
      block?.header.hash ?? added.at(-1)?.header.hash ?? removed.at(-1)?.header.parentHash;
    if (this.#pending === undefined || this.#pending.tip !== head) return;
    batch.put(table, POSITION_KEY, encodePosition(this.#pending));
    this.#pending = undefined;
  }

  #verifyNext(record: ChangeRecord): void {
    try {
      this.#records.add(record);
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      throw new SourceProblem(this.#source, error.message, { cause: error });
    }
  }

  #remove({ sequence, number, blockHash }: ChangeRecord): void {
    const { blocks } = this.#chain;
    const { number: last, hash } = this.#tip;
    if (hash !== blockHash || last !== number) {
      throw this.#wrong(
        sequence,
        `it removes the block ${number} (${blockHash}), but its head is the block ${last} (${hash})`,
      );
    }
    if (blocks.findHeader(number)?.hash === hash) this.#hasLeft = true;
    const parent = blocks.findHeader(this.#tip.parentHash);
    if (parent === undefined) {
      throw this.#wrong(sequence, `it removes block ${number}, the first block of this replica`);
    }
    this.#tip = parent;
  }

  async #add(
    { sequence, number, blockHash }: ChangeRecord,
    followed: FollowedBlock,
  ): Promise<void> {
    const { blocks, writer } = this.#chain;
    const header = sealSent(blocks, followed.block, { name: this.#source, sequence });
    if (header.number !== number || header.hash !== blockHash) {
      throw this.#wrong(
        sequence,
        `it is of the block ${number} (${blockHash}), but has the block ${header.number} (${header.hash})`,
      );
    }
    if (header.parentHash !== this.#tip.hash) {
      throw this.#wrong(
        sequence,
        `the parent of block ${number} is ${header.parentHash}, but the head before it is ${this.#tip.hash}`,
      );
    }
    const known = blocks.findHeader(blockHash);
    if (known === undefined || !blocks.hasState(known)) {
      this.#pending = { ...this.position, tip: blockHash };
      try {
        await writer.follow(followed);
      } catch (error) {
        if (!(error instanceof InvalidBlock)) throw error;
        throw this.#wrong(sequence, `block ${number} (${blockHash}): ${error.message}`, error);
      }
    }
    this.#tip = header;
  }

  /** Whether the head of the source is a descendant of a block. */
  #isAhead({ number, hash }: SealedHeader): boolean {
    let header = this.#tip;
    while (header.number > number) header = this.#getHeader(header.parentHash);
    return header.hash === hash;
  }

  #getHeader(hash: Hash): SealedHeader {
    const header = this.#chain.blocks.findHeader(hash);
    if (header !== undefined) return header;
    throw new SourceProblem(this.#source, `the block ${hash} of its stream is not known here`);
  }

  #wrong(sequence: bigint, problem: string, cause?: unknown): SourceProblem {
    return new SourceProblem(this.#source, `record ${sequence}: ${problem}`, { cause });
  }
}
