import type { ClassicLevel, GetOptions } from "classic-level";

/** A database of LevelDB, with keys and values as bytes. */
export type Level = ClassicLevel<Uint8Array, Uint8Array>;
export type ReadOptions = GetOptions<Uint8Array, Uint8Array>;

export const ENCODINGS = { keyEncoding: "view", valueEncoding: "view" } as const;
