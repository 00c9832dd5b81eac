import { defineService, type Receipt, type SealedBlock } from "@plinth/core";
import type { WaitLimits } from "@plinth/core/async";
import type { ChangedAccount } from "@plinth/core/chain";
import type { ChangeRecord } from "./records/change-record.js";
import type { Cursor } from "./records/cursor.js";
import type { StreamDescriptor } from "./records/stored-stream.js";

/** A record with what it is about. */
export interface LoadedChange {
  readonly record: ChangeRecord;
  /** Of an added block only. */
  readonly added?: AddedBlock;
}

/** A block that joined the canonical chain. */
export interface AddedBlock {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
  /** The accounts that it changed, if they were requested. */
  readonly state?: readonly ChangedAccount[];
}

/** The changes of the canonical chain, in order and without gaps. */
export interface ChangeStream {
  /** The stream as it is now. */
  readonly descriptor: StreamDescriptor;
  /** Throws `CursorRefused` unless the record of a cursor is here, or is the next one to come. */
  verify(cursor: Cursor): void;
  /** The record with a number; `undefined` if there is none yet. Throws `CursorRefused` if it is no longer kept. */
  find(sequence: bigint): ChangeRecord | undefined;
  /** Resolves to `true` once there is a record with a number, to `false` on timeout or when the signal aborts. */
  wait(sequence: bigint, limits: WaitLimits): Promise<boolean>;
  /** The records from a cursor on, waiting for new ones until the signal aborts; throws `CursorRefused` like `verify`. */
  follow(cursor: Cursor, signal: AbortSignal): AsyncIterable<ChangeRecord>;
  /**
   * Reads the block of a record, its receipts and, if requested, the state that it changed.
   *
   * Rejects with `BlockPruned` or `StatePruned` if they are no longer kept.
   */
  load(record: ChangeRecord, what?: { readonly state?: boolean }): Promise<LoadedChange>;
}

/** The service of this plugin; not available unless `--changes-enabled` is set. */
export const changeStream = defineService<ChangeStream>("changes.stream", {
  hint: "@plinth/plugin-changes",
});
