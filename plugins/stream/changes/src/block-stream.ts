import { type BlockReader, StorageError, Yielder } from "@plinth/core";
import type { WaitLimits } from "@plinth/core/async";
import type { ChangedAccount } from "@plinth/core/chain";
import type { ChangeRecord } from "./records/change-record.js";
import type { Cursor } from "./records/cursor.js";
import type { StoredStream, StreamDescriptor } from "./records/stored-stream.js";
import type { ChangeStream, LoadedChange } from "./service.js";

/** The parts of a chain that are delivered. */
export type DeliveredChain = Pick<
  BlockReader,
  "findBlock" | "findHeader" | "findReceipts" | "changesOf"
>;

/** The records of a stream, with their blocks. */
export class BlockStream implements ChangeStream {
  readonly #stored: StoredStream;
  readonly #blocks: DeliveredChain;

  constructor(stored: StoredStream, blocks: DeliveredChain) {
    this.#stored = stored;
    this.#blocks = blocks;
  }

  get descriptor(): StreamDescriptor {
    return this.#stored.descriptor;
  }

  verify(cursor: Cursor): void {
    this.#stored.verify(cursor);
  }

  find(sequence: bigint): ChangeRecord | undefined {
    return this.#stored.find(sequence);
  }

  wait(sequence: bigint, limits: WaitLimits): Promise<boolean> {
    return this.#stored.wait(sequence, limits);
  }

  async *follow(cursor: Cursor, signal: AbortSignal): AsyncGenerator<ChangeRecord, undefined> {
    this.#stored.verify(cursor);
    const turns = new Yielder();
    for (let { sequence } = cursor; !signal.aborted; ) {
      const record = this.#stored.find(sequence);
      if (record === undefined) {
        await this.#stored.wait(sequence, { signal });
        continue;
      }
      yield record;
      sequence += 1n;
      await turns.yield();
    }
  }

  async load(
    record: ChangeRecord,
    { state = false }: { readonly state?: boolean } = {},
  ): Promise<LoadedChange> {
    if (record.kind === "removed") return { record };
    const { blockHash } = record;
    const block = this.#blocks.findBlock(blockHash);
    const receipts = this.#blocks.findReceipts(blockHash);
    if (block === undefined || receipts === undefined) throw blockMissing(record);
    const added = { block, receipts };
    return {
      record,
      added: state ? { ...added, state: await this.#readState(record) } : added,
    };
  }

  async #readState(record: ChangeRecord): Promise<readonly ChangedAccount[]> {
    const header = this.#blocks.findHeader(record.blockHash);
    if (header === undefined) throw blockMissing(record);
    const turns = new Yielder();
    const accounts: ChangedAccount[] = [];
    for (const account of this.#blocks.changesOf(header)) {
      accounts.push(account);
      await turns.yield();
    }
    return accounts;
  }
}

function blockMissing({ sequence, number, blockHash }: ChangeRecord): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: the block ${number} (${blockHash}) of the record ${sequence} of the stream of changes is missing`,
  });
}
