import type { BlockReader, SealedHeader } from "@plinth/core";
import {
  fromBase64,
  MAX_STATE_BLOCKS,
  type StateAnswer,
  type StateOfBlock,
  type StateQuestion,
} from "@plinth/kit-enclave";
import type { PrivateExecutor } from "../executor.js";
import { PrivateStateBehind } from "../private-state-behind.js";
import type { PrivateStore } from "../private-store.js";

/** What blocks made of the states of groups, as members show it to each other. */
export class GroupStates {
  readonly #store: PrivateStore;
  readonly #executor: Pick<PrivateExecutor, "executedTo" | "waitFor">;
  readonly #blocks: Pick<BlockReader, "findHeader">;

  constructor(parts: {
    readonly store: PrivateStore;
    readonly executor: Pick<PrivateExecutor, "executedTo" | "waitFor">;
    readonly blocks: Pick<BlockReader, "findHeader">;
  }) {
    this.#store = parts.store;
    this.#executor = parts.executor;
    this.#blocks = parts.blocks;
  }

  /** The last block whose private transactions of a group have run. */
  lastOf(group: Uint8Array): SealedHeader {
    const number = this.#executor.executedTo(group);
    const header = this.#blocks.findHeader(number);
    if (header === undefined) throw new Error(`block ${number} is missing`);
    return header;
  }

  /** The blocks that changed a group, a page of them. */
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

  /** Answers the node of another member; its manager has verified that it is one. */
  async answer(
    { privacyGroupId, from, to, blockHash }: StateQuestion,
    signal: AbortSignal,
  ): Promise<StateAnswer> {
    const group = fromBase64(privacyGroupId, "privacyGroupId");
    try {
      // The other one may have got its last block a moment earlier.
      await this.#executor.waitFor(BigInt(to), group, { signal });
    } catch (error) {
      if (!(error instanceof PrivateStateBehind)) throw error;
      const { number } = this.lastOf(group);
      return { problem: `its private transactions have run up to block ${number} only` };
    }
    if (this.#blocks.findHeader(BigInt(to))?.hash !== blockHash) {
      return { problem: `it has another block ${to}` };
    }
    const { blocks, next } = await this.page(group, { from: BigInt(from), to: BigInt(to) });
    return { blocks, ...(next === undefined ? {} : { next: String(next) }) };
  }
}
