import type { BlockReader, Compatibility, HeadChanged } from "@plinth/core";
import { BlockLogs, blockObject } from "@plinth/kit-rpc";

/** The logs of a block that joined or left the canonical chain. */
export interface NewsOfBlock {
  readonly number: bigint;
  readonly logs: BlockLogs;
}

/** The chain, and the compatibility mode of its notifications. */
export interface NewsSource {
  readonly blocks: BlockReader;
  readonly compatibility: Compatibility;
}

/** A change of the canonical chain in its RPC form; formatted once for all subscribers. */
export class ChainNews {
  readonly compatibility: Compatibility;
  readonly #blocks: BlockReader;
  readonly #change: Pick<HeadChanged, "added" | "removed">;
  readonly #heads = new Map<boolean, readonly object[]>();
  #logs: readonly NewsOfBlock[] | undefined;

  constructor(
    { blocks, compatibility }: NewsSource,
    change: Pick<HeadChanged, "added" | "removed">,
  ) {
    this.compatibility = compatibility;
    this.#blocks = blocks;
    this.#change = change;
  }

  /** The blocks that joined, the head last. */
  heads({ verbose }: { readonly verbose: boolean }): readonly object[] {
    const made = this.#heads.get(verbose);
    if (made !== undefined) return made;
    const heads = this.#change.added.map((block) => {
      const totalDifficulty = this.#blocks.findTotalDifficulty(block.header.hash) ?? 0n;
      return blockObject(block, { totalDifficulty, verbose, compatibility: this.compatibility });
    });
    this.#heads.set(verbose, heads);
    return heads;
  }

  /** The logs of the blocks that left, then of those that joined. */
  logs(): readonly NewsOfBlock[] {
    if (this.#logs !== undefined) return this.#logs;
    const { added, removed } = this.#change;
    this.#logs = [
      ...removed.map(({ header }) => ({ header, isRemoved: true })),
      ...added.map(({ header }) => ({ header, isRemoved: false })),
    ].map((source) => ({
      number: source.header.number,
      logs: new BlockLogs(this.#blocks, source),
    }));
    return this.#logs;
  }
}
