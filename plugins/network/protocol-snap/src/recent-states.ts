import type { BlockReader, Hash, SealedHeader } from "@plinth/core";
import { StatePruned, type StateRanges } from "@plinth/core/chain";
import { RunTooLong } from "@plinth/core/evm";

/** The states that other clients serve and ask for: those of the latest blocks. */
const MAX_BLOCKS = 128n;

/** The states of the latest blocks by their roots. */
export class RecentStates {
  readonly #blocks: BlockReader;
  /** Peers ask for one state many times. */
  #last: SealedHeader | undefined;

  constructor(blocks: BlockReader) {
    this.#blocks = blocks;
  }

  /** Opens the state with a root; `undefined` if it is not that of a recent block. */
  async open(root: Hash): Promise<StateRanges | undefined> {
    const header = this.#find(root);
    if (header === undefined) return undefined;
    this.#last = header;
    try {
      return await this.#blocks.openRanges(header);
    } catch (error) {
      // Too old, or too long to be made.
      if (error instanceof StatePruned || error instanceof RunTooLong) return undefined;
      throw error;
    }
  }

  #find(root: Hash): SealedHeader | undefined {
    const head = this.#blocks.head();
    const oldest = head.number < MAX_BLOCKS ? 0n : head.number - MAX_BLOCKS + 1n;
    const last = this.#last;
    if (last?.stateRoot === root && last.number >= oldest && this.#isCanonical(last)) return last;
    for (let number = head.number; number >= oldest; number--) {
      const header = this.#blocks.findHeader(number);
      if (header?.stateRoot === root) return header;
    }
    return undefined;
  }

  #isCanonical({ number, hash }: SealedHeader): boolean {
    return this.#blocks.findHeader(number)?.hash === hash;
  }
}
