import type { Block, Hash, Header } from "@plinth/core";
import { type BlockForm, type ProposedBlocks, verifyBlockBody } from "@plinth/kit-bft";

/** The blocks of a height where every block counts as valid if its header commits to its body. */
export class TrustedBlocks implements ProposedBlocks {
  readonly #form: BlockForm;
  readonly #build: (round: number) => Block | undefined;
  readonly #executed = new Map<Hash, Block>();

  constructor(form: BlockForm, build: (round: number) => Block | undefined) {
    this.#form = form;
    this.#build = build;
  }

  async build(round: number): Promise<Block | undefined> {
    const block = this.#build(round);
    if (block !== undefined) this.#executed.set(this.#form.hashOf(block.header), block);
    return block;
  }

  async verify(block: Block): Promise<void> {
    await verifyBlockBody(block);
    this.#executed.set(this.#form.hashOf(block.header), block);
  }

  async verifyHeader(): Promise<void> {}

  find(header: Header): Block | undefined {
    const block = this.#executed.get(this.#form.hashOf(header));
    return block && this.#form.withRoundOf(block, header);
  }
}
