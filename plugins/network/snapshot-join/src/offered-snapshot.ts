import { createHash } from "node:crypto";
import type { Clock, Logger } from "@plinth/core";
import { JoinRefused, type OfferedChain } from "@plinth/core/chain";
import type { HeaderTrust } from "@plinth/core/consensus";
import {
  decodeBlock,
  decodeChunk,
  decodeCodes,
  decodeHeaders,
  encodeManifest,
  type FileEntry,
  filesOf,
  type Manifest,
  SnapshotError,
  splitBlocks,
} from "@plinth/kit-snapshot";
import { JoinProgress } from "./join-progress.js";
import { ReadAhead } from "./read-ahead.js";
import type { SnapshotFiles } from "./snapshot-files.js";

/** What a snapshot is read with. */
export interface SnapshotReading {
  readonly files: SnapshotFiles;
  readonly trust: HeaderTrust;
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, "info">;
  readonly clock: Pick<Clock, "now">;
}

/** A snapshot as a chain to join: every file is a part. */
export function offerSnapshot(manifest: Manifest, reading: SnapshotReading): OfferedChain {
  const { chainId, genesisHash, block } = manifest;
  const headers = filesOf(manifest, "headers");
  const codes = filesOf(manifest, "codes");
  const states = filesOf(manifest, "state");
  const all = [...headers, ...codes, ...states];
  const ahead = new ReadAhead(all, (file) => reading.files.read(file, reading.signal));
  const progress = new JoinProgress(all, reading);
  const read = async <F extends FileEntry, T>(
    files: readonly F[],
    part: number,
    decode: (bytes: Uint8Array, file: F) => T,
  ): Promise<T> => {
    const file = files[part] as F;
    progress.taken(file);
    return decodeFile(await ahead.take(file), file, decode);
  };
  return {
    chainId,
    genesisHash,
    block,
    id: idOf(manifest),
    parts: { headers: headers.length, codes: codes.length, states: states.length },
    option: "--snapshot",
    trust: reading.trust,
    readHeaders: (part) => read(headers, part, decodeHeaders),
    readCodes: (part) => read(codes, part, decodeCodes),
    async *readStates(part) {
      yield await read(states, part, (bytes, file) => decodeChunk(bytes, block.stateRoot, file));
    },
    async readBlock() {
      const file = filesOf(manifest, "blocks").at(-1);
      if (file === undefined) throw new JoinRefused(`it has no body of block ${block.number}`);
      const bytes = await reading.files.read(file, reading.signal);
      const last = decodeFile(bytes, file, splitBlocks).at(-1);
      if (last === undefined) throw new JoinRefused(`${file.name} has no blocks`);
      return decodeFile(last, file, decodeBlock);
    },
  };
}

/** Identifies a snapshot with all of its files. */
export function idOf(manifest: Manifest): string {
  return createHash("sha256").update(encodeManifest(manifest)).digest("hex");
}

/** The file is that of the manifest: if its content is wrong, so is the snapshot, wherever it is read. */
function decodeFile<F extends FileEntry, T>(
  bytes: Uint8Array,
  file: F,
  decode: (bytes: Uint8Array, file: F) => T,
): T {
  try {
    return decode(bytes, file);
  } catch (error) {
    throw error instanceof SnapshotError ? new JoinRefused(error.message, error) : error;
  }
}
