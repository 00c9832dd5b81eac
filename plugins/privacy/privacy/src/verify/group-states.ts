import type { BlockReader, SealedHeader } from "@plinth/core";
import {
  fromBase64,
  MAX_STATE_BLOCKS,
  type StateAnswer,
  type StateOfBlock,
  type StateQuestion,
} from "@plinth/kit-enclave";
import type { PrivateExecutor } from "../execution/executor.js";
import { PrivateStateBehind } from "../execution/private-state-behind.js";
import type { PrivateStore } from "../store/private-store.js";

/** Maximum number of blocks by which another node may be ahead. */
const MAX_AHEAD = 2n;

/** The effects of blocks on group states, as members show them to each other. */
export class GroupStates {
  readonly #store: PrivateStore;
  readonly #executor: Pick<PrivateExecutor, "executedTo" | "waitFor">;
  readonly #blocks: Pick<BlockReader, "findHeader" | "head">;

  constructor(parts: {
    readonly store: PrivateStore;
    readonly executor: Pick<PrivateExecutor, "executedTo" | "waitFor">;
    readonly blocks: Pick<BlockReader, "findHeader" | "head">;
  }) {
    this.#store = parts.store;
    this.#executor = parts.executor;
    this.#blocks = parts.blocks;
  }

  /** Last block whose private transactions of a group have run. */
  lastOf(group: Uint8Array): SealedHeader {
    const number = this.#executor.executedTo(group);
    const header = this.#blocks.findHeader(number);
    if (header === undefined) throw new Error(`block ${number} is missing`);
    return header;
  }

  /** A page of the blocks that changed a group. */
  async page(
    group: Uint8Array,
    { from, to, limit = MAX_STATE_BLOCKS }: { from: bigint; to: bigint; limit?: number },
  ): Promise<{ readonly blocks: readonly StateOfBlock[]; readonly next?: bigint }> {
    const blocks: StateOfBlock[] = [];
    for await (const { number, root, markers } of this.#store.groupBlocks(group, { from, to })) {
      if (blocks.length === limit) return { blocks, next: number };
      blocks.push({ number: String(number), root, transactions: markers.length });
    }
    return { blocks };
  }

  /** Responds to the node of another member, whose membership its manager has verified. */
  async answer(
    { privacyGroupId, from, to, blockHash }: StateQuestion,
    signal: AbortSignal,
  ): Promise<StateAnswer> {
    const group = fromBase64(privacyGroupId, "privacyGroupId");
    const last = BigInt(to);
    const isOther = () => this.#blocks.findHeader(last)?.hash !== blockHash;
    // Does not wait for blocks that may never arrive: other members have queries, too.
    const isAhead = last > this.#blocks.head().number;
    if (isAhead ? last > this.#blocks.head().number + MAX_AHEAD : isOther()) {
      return { problem: `it has another block ${to}, or none` };
    }
    try {
      // The other node may have received its last block a moment earlier.
      await this.#executor.waitFor(last, group, { signal });
    } catch (error) {
      if (!(error instanceof PrivateStateBehind)) throw error;
      return this.#behind(group);
    }
    const { blocks, next } = await this.page(group, { from: BigInt(from), to: last });
    if (isOther()) return { problem: `it has another block ${to}, or none` };
    // They may have been re-executed since then.
    if (this.lastOf(group).number < last) return this.#behind(group);
    return { blocks, ...(next === undefined ? {} : { next: String(next) }) };
  }

  #behind(group: Uint8Array): StateAnswer {
    const { number } = this.lastOf(group);
    return { problem: `its private transactions have run up to block ${number} only` };
  }
}
