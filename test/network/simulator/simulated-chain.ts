import {
  type Address,
  type Block,
  type BuiltBlock,
  getCrypto,
  type Hash,
  type Header,
  hexToBytes,
  InvalidBlock,
  NO_UNCLES_HASH,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import { BFT_MIX_HASH, type BftExtraDataCodec, type BlockForm } from "@plinth/kit-bft";

const EMPTY_ROOT: Hash = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** How blocks of a simulated chain are written. */
export interface ChainForm {
  readonly codec: BftExtraDataCodec;
  readonly form: BlockForm;
}

/** Blocks without transactions: their state root follows from their parent, so that a wrong one is noticed. */
export class SimulatedChain {
  readonly #form: ChainForm;
  readonly #blocks: { readonly block: Block; readonly header: SealedHeader }[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(form: ChainForm, genesis: Header) {
    this.#form = form;
    this.#add({ header: genesis, body: { transactions: [], uncles: [] } });
  }

  head(): SealedHeader {
    const last = this.#blocks.at(-1);
    if (last === undefined) throw new Error("a chain begins with its genesis block");
    return last.header;
  }

  /** The block of a number. */
  blockAt(number: bigint): Block | undefined {
    return this.#blocks[Number(number)]?.block;
  }

  hashAt(number: bigint): Hash | undefined {
    return this.#blocks[Number(number)]?.header.hash;
  }

  findHeader(hash: Hash): SealedHeader | undefined {
    return this.#blocks.findLast(({ header }) => header.hash === hash)?.header;
  }

  /** An empty block on a parent. */
  build(
    parent: SealedHeader,
    order: { timestamp: bigint; self: Address; validators: readonly Address[] },
  ): BuiltBlock {
    const vanity = new Uint8Array(32);
    const extraData = this.#form.codec.encode({
      vanity,
      validators: order.validators,
      vote: undefined,
      round: 0,
      seals: [],
    });
    const header: Header = {
      parentHash: parent.hash,
      number: parent.number + 1n,
      timestamp: order.timestamp,
      coinbase: order.self,
      stateRoot: stateRootAfter(parent),
      extraData,
      unclesHash: NO_UNCLES_HASH,
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      logsBloom: new Uint8Array(256),
      difficulty: 1n,
      gasLimit: 30_000_000n,
      gasUsed: 0n,
      mixHash: BFT_MIX_HASH,
      nonce: new Uint8Array(8),
    };
    return { block: { header, body: { transactions: [], uncles: [] } } };
  }

  /** Rejects a block that does not follow from its parent. */
  execute(block: Block): BuiltBlock {
    const parent = this.findHeader(block.header.parentHash);
    if (parent === undefined) throw new InvalidBlock("unknown-parent", "its parent is not known");
    if (block.header.number !== parent.number + 1n)
      throw new InvalidBlock("number", "a wrong number");
    if (block.body.uncles.length > 0) throw new InvalidBlock("uncles", "it has uncles");
    if (block.header.stateRoot !== stateRootAfter(parent)) {
      throw new InvalidBlock("state-root", "its state root is wrong");
    }
    return { block };
  }

  /** Adds a block on the head; answers whether it was. */
  append(block: Block): boolean {
    if (block.header.parentHash !== this.head().hash) return false;
    this.#add(block);
    for (const wake of [...this.#waiting]) wake();
    return true;
  }

  /** Forgets the last block, as a power failure does. */
  loseHead(): void {
    if (this.#blocks.length > 1) this.#blocks.pop();
  }

  async *heads(signal: AbortSignal): AsyncGenerator<SealedHeader, undefined> {
    let last: Hash | undefined;
    while (!signal.aborted) {
      const head = this.head();
      if (head.hash !== last) {
        last = head.hash;
        yield head;
        continue;
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener("abort", wake);
      });
    }
  }

  #add(block: Block): void {
    const hash = this.#form.form.hashOf(block.header);
    this.#blocks.push({ block, header: { ...block.header, hash } });
  }
}

function stateRootAfter({ stateRoot }: Header): Hash {
  return toHex(getCrypto().keccak256(hexToBytes(stateRoot)));
}
