import {
  type Address,
  type Block,
  type ChainReader,
  type Clock,
  type ConsensusEngine,
  type FieldPresence,
  type Hash,
  type Header,
  InvalidBlock,
  type ProducerHost,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import type {
  BlockReward,
  EngineChain,
  EngineKey,
  Finalization,
  ForkField,
  HeaderProof,
  HeaderTrust,
  WeighedHeader,
} from "@plinth/core/consensus";
import type { Proposal as VoteProposal } from "@plinth/kit-poa";
import type { BlockForm } from "../blocks/block-form.js";
import { padVanity } from "../blocks/extra-data.js";
import { BFT_MIX_HASH, type HeaderRules } from "../blocks/header-rules.js";
import type { ConfigAt } from "../genesis/config-at.js";
import type { BftTransition } from "../genesis/settings.js";
import type { ValidatorSource } from "../validators/validators.js";
import { SealedChainProof } from "./sealed-chain-proof.js";

/** The parts of an engine. */
export interface BftEngineParts {
  readonly form: BlockForm;
  readonly rules: HeaderRules;
  readonly config: ConfigAt<BftTransition>;
  readonly source: ValidatorSource;
  readonly key: EngineKey | undefined;
  readonly chain: Pick<EngineChain, "findCanonicalHeader" | "findHeader">;
  /** The vote of this node in a block on a parent. */
  readonly voteOn: (parent: SealedHeader, chain: ChainReader) => Promise<VoteProposal | undefined>;
  /** Takes part in consensus until production ends; does nothing if this node has no key. */
  readonly run: (host: ProducerHost) => Promise<void>;
}

const NONCE_BYTES = 8;

/** Validators agree on each block before it is produced, so that it is final at once. */
export class BftEngine implements ConsensusEngine {
  readonly finality = "instant";
  readonly #parts: BftEngineParts;

  constructor(parts: BftEngineParts) {
    this.#parts = parts;
  }

  hashHeader(header: Header): Hash {
    return this.#parts.form.hashOf(header);
  }

  author({ coinbase }: Header): Address {
    return coinbase;
  }

  feeRecipient(header: Header): Address {
    const { config } = this.#parts;
    return config.at(config.scheduled(header)).miningBeneficiary ?? header.coinbase;
  }

  /** No rule of a BFT chain binds the base fee to the parent's. */
  takesAnyBaseFee(): boolean {
    return true;
  }

  maxTransactionGas(point: Pick<Header, "number" | "timestamp">): bigint | undefined {
    const { config } = this.#parts;
    return config.at(config.scheduled(point)).perTxGasLimit;
  }

  periodMs(parent: SealedHeader): number {
    return this.#parts.config.after(parent).blockPeriodSeconds * 1000;
  }

  emptyPeriodMs(parent: SealedHeader): number {
    return this.#parts.config.after(parent).emptyBlockPeriodSeconds * 1000;
  }

  nextTimestamp(parent: SealedHeader, clock: Pick<Clock, "now">): bigint {
    const now = BigInt(Math.floor(clock.now() / 1000));
    const earliest = this.#parts.rules.earliestOn(parent, now);
    return now > earliest ? now : earliest;
  }

  /** Releases of Besu differ in the fields of their blocks; none of them writes the last two. */
  forkField(field: ForkField): FieldPresence {
    return field === "parentBeaconBlockRoot" || field === "requestsHash" ? "absent" : "optional";
  }

  async verifyHeader(
    header: SealedHeader,
    parent: SealedHeader,
    chain: ChainReader,
  ): Promise<void> {
    const { source, rules } = this.#parts;
    const authority = await source.authorityOn(parent, header.timestamp, chain);
    rules.verifyUnsealed(header, parent, authority);
    rules.verifySeals(header, authority.validators);
    this.#verifyFinal(header);
    rules.verifyTime(header);
  }

  /** A decided block is final, unless the operator rewinds the head. */
  #verifyFinal({ number, hash }: SealedHeader): void {
    const decided = this.#parts.chain.findCanonicalHeader(number);
    if (decided === undefined || decided.hash === hash) return;
    throw new InvalidBlock(
      "final",
      `block ${number} (${hash}) is sealed by a quorum, and so is ${decided.hash}, which is final here: other validators have rewound their chain, or a third of them or more have signed both`,
    );
  }

  verifyBlock({ header, body }: SealedBlock): void {
    if (body.uncles.length === 0) return;
    throw new InvalidBlock(
      "uncles",
      `block ${header.number}: ${body.uncles.length} uncles, expected none`,
    );
  }

  /**
   * A longer chain is better, and can only be an extension of the head: all of its blocks are
   * final.
   */
  prefers(candidate: WeighedHeader, head: WeighedHeader): boolean {
    if (candidate.totalDifficulty <= head.totalDifficulty) return false;
    const { chain } = this.#parts;
    let ancestor: SealedHeader | undefined = candidate.header;
    while (ancestor !== undefined && ancestor.number > head.header.number) {
      ancestor = chain.findHeader(ancestor.parentHash);
    }
    if (ancestor?.hash === head.header.hash) return true;
    const { number, hash } = candidate.header;
    throw new InvalidBlock(
      "final",
      `block ${number} (${hash}) is on a branch without block ${head.header.number} (${head.header.hash}), which is final here`,
    );
  }

  async prepareHeader(draft: Header, parent: SealedHeader, chain: ChainReader): Promise<Header> {
    const { form, source, key, voteOn } = this.#parts;
    const { validators, isListed } = await source.authorityOn(parent, draft.timestamp, chain);
    const vote = isListed ? await voteOn(parent, chain) : undefined;
    const vanity = padVanity(draft.extraData);
    const listed = isListed ? validators : [];
    const { parentBeaconBlockRoot: _, requestsHash: __, ...fields } = draft;
    return {
      ...fields,
      ...(key === undefined ? {} : { coinbase: key.address }),
      difficulty: 1n,
      mixHash: BFT_MIX_HASH,
      nonce: new Uint8Array(NONCE_BYTES),
      extraData: form.codec.encode({ vanity, validators: listed, vote, round: 0, seals: [] }),
    };
  }

  finalize({ state, block }: Finalization): void {
    for (const { beneficiary, amount } of this.rewards(block)) {
      const balance = state.findAccount(beneficiary)?.balance ?? 0n;
      state.setAccount(beneficiary, { balance: balance + amount });
    }
  }

  rewards({ header }: Block): readonly BlockReward[] {
    const amount = this.blockReward(header);
    if (amount === 0n) return [];
    return [{ kind: "block", beneficiary: this.feeRecipient(header), amount }];
  }

  blockReward(header: Header): bigint {
    const { config } = this.#parts;
    return config.at(config.scheduled(header)).blockReward;
  }

  proveHeaders(start: SealedHeader, trust: HeaderTrust): HeaderProof {
    return new SealedChainProof(start, trust, this.#parts);
  }

  produce(host: ProducerHost): Promise<void> {
    return this.#parts.run(host);
  }
}
