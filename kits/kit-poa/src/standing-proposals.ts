import { type Address, hexToBytes, type PluginTable, toHex } from "@plinth/core";
import type { Proposal } from "./authorities.js";

const ADD = Uint8Array.of(1);
const DROP = Uint8Array.of(0);

/**
 * The changes of the authorities that the operator of this node proposes.
 *
 * They are on disk, so that they survive a restart, and stand until they are discarded: after each
 * epoch, which discards all votes, they are voted for again.
 */
export class StandingProposals {
  readonly #table: PluginTable;

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** In the order of their candidates. */
  async list(): Promise<readonly Proposal[]> {
    const proposals: Proposal[] = [];
    for await (const [key, value] of this.#table.iterate()) {
      proposals.push({ candidate: toHex(key), kind: value[0] === ADD[0] ? "add" : "drop" });
    }
    return proposals;
  }

  /** Adds a proposal; replaces one for the same candidate. */
  async propose({ candidate, kind }: Proposal): Promise<void> {
    const value = kind === "add" ? ADD : DROP;
    await this.#table.write([[hexToBytes(candidate), value]], { durable: true });
  }

  /** Removes the proposal for a candidate; returns whether there was one. */
  async discard(candidate: Address): Promise<boolean> {
    const key = hexToBytes(candidate);
    if (this.#table.getSync(key) === undefined) return false;
    await this.#table.write([[key, undefined]], { durable: true });
    return true;
  }
}
