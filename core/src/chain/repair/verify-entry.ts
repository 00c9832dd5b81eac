import { decodeHeader } from "../../blocks/header.js";
import type { ConsensusEngine } from "../../consensus/engine.js";
import { messageOf } from "../../kernel/errors.js";
import { toHex } from "../../primitives/hex.js";
import { keccakHash } from "../../primitives/keccak.js";
import { TABLES } from "../../storage/tables.js";

/** An entry of a table of the core. */
export interface TableEntry {
  readonly table: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** What is wrong with an entry whose key is a hash of its value; `undefined` when nothing is, or when it is no such entry. */
export function problemOfEntry(
  { table, key, value }: TableEntry,
  engine: Pick<ConsensusEngine, "hashHeader">,
): string | undefined {
  try {
    const hash = hashOf(table, value, engine);
    if (hash === undefined || hash === toHex(key)) return undefined;
    return `it has the hash ${hash}`;
  } catch (error) {
    return `it cannot be read: ${messageOf(error)}`;
  }
}

function hashOf(table: string, value: Uint8Array, engine: Pick<ConsensusEngine, "hashHeader">) {
  switch (table) {
    case TABLES.trieNodes:
    case TABLES.code:
    case TABLES.preimages:
      return keccakHash(value);
    case TABLES.headers:
      return engine.hashHeader(decodeHeader(value));
    default:
      return undefined;
  }
}
