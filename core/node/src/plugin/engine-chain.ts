import type { Blockchain } from "@plinth/chain";
import type { Hash, Header, SealedBlock, SealedHeader, StateReader } from "@plinth/core";
import { InvariantError, PlinthError } from "@plinth/core";
import type { EngineChain } from "@plinth/core/consensus";
import type { EvmResult, Message, RunContext } from "@plinth/core/evm";

/** The chain that engines read: they are created before it, because it needs them. */
export class LateEngineChain implements EngineChain {
  #blocks: Blockchain | undefined;

  /** From now on engines can read. */
  open(blocks: Blockchain): void {
    this.#blocks = blocks;
  }

  head(): SealedHeader {
    return this.#opened.head();
  }

  genesis(): SealedHeader {
    const genesis = this.#opened.findHeader(0n);
    if (genesis === undefined) throw new InvariantError("the chain has no block 0");
    return genesis;
  }

  findCanonicalHeader(number: bigint): SealedHeader | undefined {
    return this.#opened.findHeader(number);
  }

  findHeader(hash: Hash): SealedHeader | undefined {
    return this.#opened.findHeader(hash);
  }

  findBlock(hash: Hash): SealedBlock | undefined {
    return this.#opened.findBlock(hash);
  }

  findTotalDifficulty(hash: Hash): bigint | undefined {
    return this.#opened.findTotalDifficulty(hash);
  }

  stateAt(header: Header): StateReader {
    return this.#opened.stateAt(header);
  }

  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult> {
    return this.#opened.call(message, header, limits);
  }

  get #opened(): Blockchain {
    if (this.#blocks !== undefined) return this.#blocks;
    throw new PlinthError("PHASE_WRONG", {
      message: "an engine can read the chain once the node is open, not while it is created",
    });
  }
}
