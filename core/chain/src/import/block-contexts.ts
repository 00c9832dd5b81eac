import type { ConsensusEngine, Header } from "@plinth/core";
import type { BlockContext } from "@plinth/core/evm";
import type { ForkSchedule } from "@plinth/core/rules";
import { AncestorHashes } from "../store/ancestor-hashes.js";
import type { ChainStore } from "../store/chain-store.js";
import { blobFeeOf } from "./blob-gas.js";

/** The block values visible to code. */
export class BlockContexts {
  readonly #forks: ForkSchedule;
  readonly #engine: ConsensusEngine;
  readonly #ancestors: AncestorHashes;
  /** Most calls are on the head. */
  #last: { readonly header: Header; readonly context: BlockContext } | undefined;

  constructor(
    { forks, engine }: { readonly forks: ForkSchedule; readonly engine: ConsensusEngine },
    chain: ChainStore,
  ) {
    this.#forks = forks;
    this.#engine = engine;
    this.#ancestors = new AncestorHashes((hash) => chain.findHeader(hash)?.parentHash);
  }

  of(header: Header): BlockContext {
    if (this.#last?.header !== header) this.#last = { header, context: this.#create(header) };
    return this.#last.context;
  }

  #create(header: Header): BlockContext {
    const { number, timestamp, gasLimit, difficulty, mixHash, baseFeePerGas } = header;
    const { maxCodeBytes } = this.#forks.rules;
    const blobFee = blobFeeOf(header, this.#forks);
    const ancestors = this.#ancestors.of(header);
    return {
      fork: this.#forks.at(header),
      number,
      timestamp,
      gasLimit,
      difficulty,
      mixHash,
      feeRecipient: this.#engine.feeRecipient(header),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      ...(blobFee === undefined ? {} : { blobBaseFee: blobFee }),
      ...(maxCodeBytes === undefined ? {} : { maxCodeBytes }),
      hashOf: (wanted) => ancestors.hashOf(wanted),
    };
  }
}
