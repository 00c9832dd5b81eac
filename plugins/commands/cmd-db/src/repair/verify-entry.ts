import { type ConsensusEngine, messageOf, toHex } from "@plinth/core";
import { decodeHeader } from "@plinth/core/blocks";
import type { StoredChain, StoredProblem } from "@plinth/core/chain";
import { keccakHash } from "@plinth/core/primitives";
import { TABLES } from "@plinth/core/storage";

/** An entry of a core table. */
export interface TableEntry {
  readonly table: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * The problem of an entry whose key is a hash of its value; `undefined` if there is none, or for
 * other entries.
 */
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

/** Reads every entry of every file and yields the problems. */
export async function* verifyEntries({
  files,
  folder,
  engine,
}: StoredChain): AsyncGenerator<{ readonly problems: readonly StoredProblem[] }> {
  for await (const item of files.read({ folder })) {
    if ("problem" in item) yield { problems: [item] };
    else if (item.value === undefined) yield { problems: [] };
    else {
      const { table, key, value } = item;
      const problem = problemOfEntry({ table, key, value }, engine);
      const where = `${table} ${toHex(key)}`;
      yield { problems: problem === undefined ? [] : [{ where, problem }] };
    }
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
