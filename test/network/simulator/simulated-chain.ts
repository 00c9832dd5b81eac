import {
  type Address,
  type Block,
  type Body,
  EMPTY_ROOT,
  getCrypto,
  type Hash,
  type Header,
  hexToBytes,
  InvalidBlock,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import { NO_UNCLES_HASH, transactionsRoot, unclesHash, withdrawalsRoot } from "@plinth/core/blocks";
import type { BuiltBlock } from "@plinth/core/consensus";
import { verifyBody } from "@plinth/core/rules";
import { BFT_MIX_HASH, type BftExtraDataCodec, type BlockForm } from "@plinth/kit-bft";

/** How blocks of a simulated chain are encoded. */
export interface ChainForm {
  readonly codec: BftExtraDataCodec;
  readonly form: BlockForm;
}

/** The inputs of a block. */
export interface SimulatedOrder {
  readonly timestamp: bigint;
  readonly self: Address;
  readonly validators: readonly Address[];
  /** Whether the extra data lists the validators; true by default. */
  readonly isListed?: boolean;
  /** Empty by default. */
  readonly body?: Body;
}

/** The blocks of a chain at one time. */
export type ChainSnapshot = readonly StoredBlock[];

interface StoredBlock {
  readonly block: Block;
  readonly header: SealedHeader;
}

const NOTHING: Body = { transactions: [], uncles: [] };

/**
 * A chain whose headers commit to their bodies like those of a real one.
 *
 * Nothing is executed: the state root is derived from the parent and the body, so that a wrong one
 * is detected.
 */
export class SimulatedChain {
  readonly #form: ChainForm;
  readonly #waiting = new Set<() => void>();
  #blocks: StoredBlock[] = [];

  constructor(form: ChainForm, genesis: Header) {
    this.#form = form;
    this.#add({ header: genesis, body: NOTHING });
  }

  head(): SealedHeader {
    const last = this.#blocks.at(-1);
    if (last === undefined) throw new Error("a chain begins with its genesis block");
    return last.header;
  }

  /** The block with a number. */
  blockAt(number: bigint): Block | undefined {
    return this.#blocks[Number(number)]?.block;
  }

  hashAt(number: bigint): Hash | undefined {
    return this.#blocks[Number(number)]?.header.hash;
  }

  findHeader(hash: Hash): SealedHeader | undefined {
    return this.#blocks.findLast(({ header }) => header.hash === hash)?.header;
  }

  /** A block on a parent. */
  build(parent: SealedHeader, order: SimulatedOrder): BuiltBlock {
    const { timestamp, self, isListed = true, body = NOTHING } = order;
    const extraData = this.#form.codec.encode({
      vanity: new Uint8Array(32),
      validators: isListed ? order.validators : [],
      vote: undefined,
      round: 0,
      seals: [],
    });
    const header: Header = {
      parentHash: parent.hash,
      number: parent.number + 1n,
      timestamp,
      coinbase: self,
      extraData,
      unclesHash: NO_UNCLES_HASH,
      stateRoot: EMPTY_ROOT,
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      logsBloom: new Uint8Array(256),
      difficulty: 1n,
      gasLimit: 30_000_000n,
      gasUsed: 0n,
      mixHash: BFT_MIX_HASH,
      nonce: new Uint8Array(8),
    };
    return { block: withCommitments({ header, body }, parent) };
  }

  /** Rejects a block that does not follow from its parent, like the host of an engine. */
  execute(block: Block): BuiltBlock {
    const parent = this.findHeader(block.header.parentHash);
    if (parent === undefined) throw new InvalidBlock("unknown-parent", "its parent is not known");
    if (block.header.number !== parent.number + 1n) {
      throw new InvalidBlock("number", "a wrong number");
    }
    verifyBody(block);
    if (block.header.stateRoot !== stateRootAfter(parent, block.header)) {
      throw new InvalidBlock("state-root", "its state root is wrong");
    }
    return { block };
  }

  /** Rejects a block of another node that this one must not import, regardless of its seals. */
  verifyImported(block: Block): void {
    this.execute(block);
    // The rules of a BFT engine besides the header.
    if (block.body.uncles.length > 0) throw new InvalidBlock("uncles", "it has uncles");
  }

  /** Adds a block on the head; returns whether it was. */
  append(block: Block): boolean {
    if (block.header.parentHash !== this.head().hash) return false;
    this.#add(block);
    for (const wake of [...this.#waiting]) wake();
    return true;
  }

  /** Loses the last block, as in a power failure. */
  loseHead(): void {
    if (this.#blocks.length > 1) this.#blocks.pop();
  }

  snapshot(): ChainSnapshot {
    return [...this.#blocks];
  }

  /** Restores an earlier snapshot. */
  restore(snapshot: ChainSnapshot): void {
    this.#blocks = [...snapshot];
  }

  /** Loses all blocks but the first. */
  erase(): void {
    this.#blocks = this.#blocks.slice(0, 1);
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

/** The block with a header that commits to its body; a parent makes its state root valid, too. */
export function withCommitments({ header, body }: Block, parent?: Header): Block {
  const { withdrawalsRoot: _, ...rest } = header;
  const committed: Header = {
    ...rest,
    transactionsRoot: transactionsRoot(body.transactions),
    unclesHash: unclesHash(body.uncles),
    ...(body.withdrawals === undefined
      ? {}
      : {
          baseFeePerGas: header.baseFeePerGas ?? 7n,
          withdrawalsRoot: withdrawalsRoot(body.withdrawals),
        }),
  };
  if (parent === undefined) return { header: committed, body };
  return { header: { ...committed, stateRoot: stateRootAfter(parent, committed) }, body };
}

/**
 * The state after a block: derived from its transactions and withdrawals roots, and the previous
 * state.
 */
function stateRootAfter(parent: Header, header: Header): Hash {
  const roots = [parent.stateRoot, header.transactionsRoot, header.withdrawalsRoot ?? "0x"];
  return toHex(getCrypto().keccak256(Buffer.concat(roots.map((root) => hexToBytes(root)))));
}
