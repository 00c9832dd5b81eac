import {
  type Address,
  type Block,
  type ChainReader,
  type ConsensusEngine,
  type EngineContext,
  type FieldPresence,
  FutureBlock,
  type Hash,
  type Header,
  keccakHeader,
  type ProducerHost,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import type { BlockReward, Finalization } from "@plinth/core/consensus";
import type { Fork } from "@plinth/core/evm";
import { verifyHeader } from "@plinth/core/rules";
import type { SealCheck } from "./api.js";
import type { Epochs } from "./epochs.js";
import type { HashMeter } from "./hash-meter.js";
import { HeaderRules } from "./header-rules.js";
import { mine } from "./miner.js";
import type { RemoteSealer } from "./remote-sealer.js";
import { payRewards, rewardOf, rewardsOf } from "./rewards.js";
import { sealHash, verifySeal } from "./seal.js";
import type { EthashSettings } from "./settings.js";
import { verifyUncles } from "./uncles.js";

/** How many seconds the clocks of miners may be ahead of ours. */
const MAX_SECONDS_AHEAD = 15n;

/** Dependencies of the engine besides those of every engine. */
export interface EthashParts {
  readonly epochs: Epochs;
  readonly seals: SealCheck;
  readonly sealer: RemoteSealer;
  readonly meter: HashMeter;
}

/** The part of its context that the engine uses. */
export type EthashContext = Pick<
  EngineContext<EthashSettings>,
  "settings" | "forks" | "clock" | "mining"
>;

/** Ethereum's proof of work from Frontier to the merge. */
export class EthashEngine implements ConsensusEngine {
  readonly finality = "eventual";
  readonly #context: EthashContext;
  readonly #rules: HeaderRules;
  readonly #epochs: Epochs;
  readonly #seals: SealCheck;
  readonly #meter: HashMeter;
  readonly #sealer: RemoteSealer;

  constructor(context: EthashContext, { epochs, seals, sealer, meter }: EthashParts) {
    this.#sealer = sealer;
    this.#meter = meter;
    this.#context = context;
    this.#rules = new HeaderRules(context);
    this.#epochs = epochs;
    this.#seals = seals;
  }

  hashHeader(header: Header): Hash {
    return keccakHeader(header);
  }

  author({ coinbase }: Header): Address {
    return coinbase;
  }

  feeRecipient({ coinbase }: Header): Address {
    return coinbase;
  }

  async verifyHeader(header: SealedHeader, parent: SealedHeader): Promise<void> {
    this.#rules.verify(header, parent);
    await this.#verifySeal(header);
    // Last: a block from the future is kept, so it must have a valid seal.
    const now = BigInt(Math.floor(this.#context.clock.now() / 1000));
    if (header.timestamp > now + MAX_SECONDS_AHEAD) {
      throw new FutureBlock(header, MAX_SECONDS_AHEAD);
    }
  }

  async verifyBlock(block: SealedBlock, _: SealedHeader, chain: ChainReader): Promise<void> {
    await verifyUncles(block, chain, async (uncle, parent) => {
      const hasBaseFee = this.#context.forks.isActive("london", uncle);
      verifyHeader(uncle, parent, { hasBaseFee, takesAnyBaseFee: false });
      this.#rules.verify(uncle, parent);
      await this.#verifySeal(uncle);
    });
  }

  /** Time-based forks may occur without a merge; blocks then have their fields or not. */
  forkField(): FieldPresence {
    return "optional";
  }

  prepareHeader(draft: Header, parent: SealedHeader): Header {
    const { coinbase = draft.coinbase } = this.#context.mining;
    return { ...draft, coinbase, difficulty: this.#rules.difficultyOf(draft, parent) };
  }

  finalize({ state, block, fork }: Finalization): void {
    payRewards(state, block, fork);
  }

  rewards(block: Block, fork: Fork): readonly BlockReward[] {
    return rewardsOf(block, fork);
  }

  blockReward(_: Header, fork: Fork): bigint {
    return rewardOf(fork);
  }

  async produce(host: ProducerHost): Promise<void> {
    if (this.#context.mining.coinbase === undefined) return;
    await mine(host, { epochs: this.#epochs, meter: this.#meter, sealer: this.#sealer });
  }

  async #verifySeal(header: Header): Promise<void> {
    if (!this.#seals.isEnabled) return;
    const epoch = await this.#epochs.for(header.number);
    verifySeal(header, epoch.run(sealHash(header), header.nonce));
  }
}
