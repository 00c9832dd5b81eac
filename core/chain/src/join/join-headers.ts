import { type Header, type SealedHeader, Yielder } from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import { JoinRefused, type OfferedChain, TooFewHeaders } from "@plinth/core/chain";
import type { HeaderProof } from "@plinth/core/consensus";
import { BatchPieces } from "../store/batch-pieces.js";
import type { JoinContext } from "./join-context.js";
import { type JoiningRecord, putJoining } from "./joining-record.js";
import { verifyRequired } from "./required-block.js";

/** More headers after the block than any engine needs. */
const MAX_LATER_HEADERS = 65_536n;

/** Writes the headers up to the offered block, and proves it; returns the record of the next step. */
export async function joinHeaders(
  context: JoinContext,
  offered: OfferedChain,
  record: JoiningRecord,
): Promise<JoiningRecord> {
  const writer = new HeaderWriter(context, offered);
  await writer.resume(record.header);
  const { headers: parts } = offered.parts;
  let current = record;
  for (let part = record.part; part < parts; part++) {
    await writer.add(await offered.readHeaders(part));
    // Headers after the block are not written: a restart reads their part again.
    if (writer.last <= offered.block.number) {
      current = {
        ...current,
        part: part + 1,
        header: Number(writer.last),
        headerPart: part,
      };
    }
    await writer.commit(current);
  }
  await writer.verifyProven();
  return { ...current, step: "codes", part: 0 };
}

/** Proves headers one after another, and writes those up to the offered block. */
class HeaderWriter {
  readonly #context: JoinContext;
  readonly #offered: OfferedChain;
  readonly #proof: HeaderProof;
  readonly #pieces: BatchPieces;
  #last: SealedHeader;
  #totalDifficulty: bigint;
  #found: SealedHeader | undefined;

  constructor(context: JoinContext, offered: OfferedChain) {
    const { engine, genesis, store } = context;
    const proof = engine.proveHeaders?.(genesis.header, offered.trust);
    if (proof === undefined) {
      throw new JoinRefused(
        "the consensus engine of this chain has no seals that prove a state; synchronize the node in full",
      );
    }
    this.#context = context;
    this.#offered = offered;
    this.#proof = proof;
    this.#pieces = new BatchPieces(store);
    this.#last = genesis.header;
    this.#totalDifficulty = genesis.header.difficulty;
    this.#keepIfOffered(genesis.header);
  }

  /** The number of the last header. */
  get last(): bigint {
    return this.#last.number;
  }

  /** Proves the headers that an interrupted start has written. */
  async resume(last: number): Promise<void> {
    const turns = new Yielder();
    for (let number = 1; number <= last; number++) {
      await turns.yield();
      this.#context.signal.throwIfAborted();
      await this.#prove(this.#context.chain.headerAt(BigInt(number)));
    }
  }

  async add(headers: readonly Header[]): Promise<void> {
    const turns = new Yielder();
    for (const header of headers) {
      await turns.yield();
      const sealed = sealHeader(header, this.#context.engine.hashHeader(header));
      // Block 0, or what an earlier start has written; the next header must follow it.
      if (sealed.number <= this.#last.number) continue;
      await this.#prove(sealed);
      if (sealed.number > this.#offered.block.number) this.#verifyNear(sealed);
      else this.#put(sealed);
      if (this.#pieces.isFull) await this.#pieces.commit();
    }
  }

  async commit(record: JoiningRecord): Promise<void> {
    putJoining(this.#pieces, record);
    await this.#pieces.commit();
  }

  /** Throws unless the offered block is on the chain, and proven. */
  async verifyProven(): Promise<void> {
    const { number, hash, stateRoot } = this.#offered.block;
    const proven = await this.#proof.finish();
    if (proven < number) {
      throw new TooFewHeaders(
        `the headers prove the chain up to block ${proven}, not block ${number}`,
        number - proven,
      );
    }
    if (this.#found?.hash === hash && this.#found.stateRoot === stateRoot) return;
    throw new JoinRefused(
      `block ${number} is ${this.#found?.hash} with the state root ${this.#found?.stateRoot}, not ${hash} with ${stateRoot}`,
    );
  }

  async #prove(header: SealedHeader): Promise<void> {
    verifyRequired(header, this.#offered);
    await this.#proof.add(header);
    this.#last = header;
    this.#totalDifficulty += header.difficulty;
    this.#keepIfOffered(header);
  }

  #keepIfOffered(header: SealedHeader): void {
    if (header.number === this.#offered.block.number) this.#found = header;
  }

  #put(header: SealedHeader): void {
    const { chain } = this.#context;
    chain.putHeader(this.#pieces, header, this.#totalDifficulty);
  }

  #verifyNear({ number }: SealedHeader): void {
    const { number: block } = this.#offered.block;
    if (number <= block + MAX_LATER_HEADERS) return;
    throw new JoinRefused(`more than ${MAX_LATER_HEADERS} headers follow block ${block}`);
  }
}
