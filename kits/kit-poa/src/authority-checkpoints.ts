import {
  decodeRlp,
  encodeRlp,
  type Hash,
  hexToBytes,
  type PluginBatch,
  type PluginTable,
  type Rlp,
  type SealedHeader,
} from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import type { Authorities, Vote } from "./authorities.js";

const INTERVAL = 1024n;

/**
 * The authorities after every 1024th block, on disk.
 *
 * Epochs can be long: without them the votes since the last epoch block would be counted again
 * after each start, and for each query about an old block.
 */
export class AuthorityCheckpoints {
  readonly #table: PluginTable;

  /** The table can be rebuilt from the blocks. */
  constructor(table: PluginTable) {
    this.#table = table;
  }

  isDue({ number }: Pick<SealedHeader, "number">): boolean {
    return number > 0n && number % INTERVAL === 0n;
  }

  put(batch: PluginBatch, hash: Hash, { members, votes }: Authorities): void {
    const value = encodeRlp([members.map((member) => hexToBytes(member)), votes.map(voteToRlp)]);
    batch.put(this.#table, hexToBytes(hash), value);
  }

  find(header: SealedHeader): Authorities | undefined {
    if (!this.isDue(header)) return undefined;
    const bytes = this.#table.getSync(hexToBytes(header.hash));
    return bytes && fromRlp(decodeRlp(bytes));
  }
}

function voteToRlp({ voter, candidate, kind, block }: Vote): Rlp {
  return [
    hexToBytes(voter),
    hexToBytes(candidate),
    scalarBytes(kind === "add" ? 1n : 0n),
    scalarBytes(block),
  ];
}

function fromRlp(item: Rlp): Authorities {
  const fields = new Fields("authorities", item);
  const members = fields
    .list("members")
    .map((member) => new Fields("member", [member]).address("address"));
  const votes = fields.list("votes").map(voteFromRlp);
  fields.verifyEnd();
  return { members, votes };
}

function voteFromRlp(item: Rlp): Vote {
  const fields = new Fields("vote", item);
  const voter = fields.address("voter");
  const candidate = fields.address("candidate");
  const kind = fields.uint64("kind") === 1n ? "add" : "drop";
  const block = fields.uint64("block");
  fields.verifyEnd();
  return { voter, candidate, kind, block };
}
