import { hexToBytes, type PluginTable, toHex } from "@plinth/core";
import { encodeVote, type Vote } from "./extra-data.js";

const KEY = hexToBytes("00");

/** The vote of this node, which survives a restart. */
export class Proposals {
  readonly #table: PluginTable;

  constructor(table: PluginTable) {
    this.#table = table;
  }

  current(): Vote | undefined {
    const bytes = this.#table.getSync(KEY);
    return bytes && { candidate: toHex(bytes.slice(0, 20)), isFor: bytes[20] === 1 };
  }

  /** Casts a vote from the next block of this node on, or none. */
  async set(vote: Vote | undefined): Promise<void> {
    await this.#table.write([[KEY, vote && encodeVote(vote)]], { durable: true });
  }
}
