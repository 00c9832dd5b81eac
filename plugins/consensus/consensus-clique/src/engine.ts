import {
  type Address,
  type ChainReader,
  type Clock,
  type ConsensusEngine,
  type EngineContext,
  type FieldPresence,
  FutureBlock,
  type Hash,
  type Header,
  keccakHeader,
  type ProducerHost,
  type SealedHeader,
  ZERO_ADDRESS,
  ZERO_HASH,
} from "@plinth/core";
import type { HeaderProof, WeighedHeader } from "@plinth/core/consensus";
import { openProposals, type Proposal, type StandingProposals } from "@plinth/kit-poa";
import { unsealedExtraData } from "./extra-data.js";
import { isBetterHead } from "./fork-choice.js";
import { HeaderRules } from "./header-rules.js";
import { isUnsealed } from "./seal.js";
import { Sealer } from "./sealer.js";
import type { CliqueSchedule, CliqueSettings, CliqueTransition } from "./settings.js";
import type { SignedBlocks } from "./signed-blocks.js";
import { SignedChainProof } from "./signed-chain-proof.js";
import { difficultyOf } from "./signers/signer-turns.js";
import type { Signers } from "./signers/signers.js";
import type { SigningStatus } from "./signers/signing-status.js";
import { voteFields } from "./signers/vote.js";

/** How many seconds the clocks of other signers may be ahead of ours. */
const MAX_SECONDS_AHEAD = 10n;

/** Dependencies of the engine besides its context. */
export interface CliqueParts {
  readonly schedule: CliqueSchedule;
  readonly signers: Signers;
  readonly proposals: Pick<StandingProposals, "list">;
  readonly signed: SignedBlocks;
  readonly status: SigningStatus;
  readonly random: () => number;
}

/** The part of its context that the engine uses. */
export type CliqueContext = Pick<
  EngineContext<CliqueSettings, CliqueTransition>,
  "forks" | "clock" | "key" | "chain"
>;

/** Known signers take turns and vote each other in and out (EIP-225). */
export class CliqueEngine implements ConsensusEngine {
  readonly finality = "eventual";
  readonly #context: CliqueContext;
  readonly #parts: CliqueParts;
  readonly #rules: HeaderRules;

  constructor(context: CliqueContext, parts: CliqueParts) {
    this.#context = context;
    this.#parts = parts;
    this.#rules = new HeaderRules({ ...parts, forks: context.forks });
  }

  hashHeader(header: Header): Hash {
    return keccakHeader(header);
  }

  /** The signer; in a block being built, this node. */
  author(header: Header): Address {
    if (header.number > 0n && isUnsealed(header)) return this.#context.key?.address ?? ZERO_ADDRESS;
    return this.#parts.signers.of(header);
  }

  /** The coinbase is the candidate of the signer's vote. */
  feeRecipient(header: Header): Address {
    return this.author(header);
  }

  verifyHeader(header: SealedHeader, parent: SealedHeader, chain: ChainReader): void {
    this.#rules.verify(header, parent, chain);
    // Last: a block from the future is kept, so it must have a valid seal.
    const now = BigInt(Math.floor(this.#context.clock.now() / 1000));
    if (header.timestamp > now + MAX_SECONDS_AHEAD) {
      throw new FutureBlock(header, MAX_SECONDS_AHEAD);
    }
  }

  /** Clique ends before the forks that add header fields. */
  forkField(): FieldPresence {
    return "absent";
  }

  nextTimestamp({ number, timestamp }: SealedHeader, clock: Pick<Clock, "now">): bigint {
    const due = timestamp + this.#parts.schedule.at(number + 1n).periodSeconds;
    const now = BigInt(Math.floor(clock.now() / 1000));
    return now > due ? now : due;
  }

  periodMs({ number }: SealedHeader): number {
    return Number(this.#parts.schedule.at(number + 1n).periodSeconds) * 1000;
  }

  makesEmptyBlocks({ number }: SealedHeader): boolean {
    return this.#parts.schedule.at(number + 1n).makesEmpty;
  }

  async prepareHeader(draft: Header, parent: SealedHeader, chain: ChainReader): Promise<Header> {
    const { schedule, signers } = this.#parts;
    const {
      withdrawalsRoot,
      blobGasUsed,
      excessBlobGas,
      parentBeaconBlockRoot,
      requestsHash,
      ...own
    } = draft;
    const { members } = signers.after(parent, chain);
    const isEpoch = schedule.isEpoch(draft.number);
    const signer = this.#context.key?.address ?? ZERO_ADDRESS;
    return {
      ...own,
      ...voteFields(isEpoch ? undefined : await this.#findVote(parent, chain)),
      mixHash: ZERO_HASH,
      difficulty: difficultyOf(signer, draft.number, members),
      extraData: unsealedExtraData(draft.extraData, isEpoch ? members : []),
    };
  }

  prefers(candidate: WeighedHeader, head: WeighedHeader): boolean {
    const { signers } = this.#parts;
    const { chain } = this.#context;
    return isBetterHead(candidate, head, {
      signerOf: (header) => signers.of(header),
      signersAfter: (header) => signers.after(header, chain).members,
    });
  }

  proveHeaders(start: SealedHeader): HeaderProof {
    const { signers } = this.#parts;
    const verifyHeader: CliqueEngine["verifyHeader"] = (...args) => this.verifyHeader(...args);
    return new SignedChainProof(start, { signers, verifyHeader });
  }

  async produce(host: ProducerHost): Promise<void> {
    const { key, forks } = this.#context;
    if (key !== undefined) await new Sealer(key.address, { ...this.#parts, forks }).run(host);
  }

  /** The first of the operator's proposals for which this signer has not voted yet. */
  async #findVote(parent: SealedHeader, chain: ChainReader): Promise<Proposal | undefined> {
    const { signers, proposals } = this.#parts;
    const { key } = this.#context;
    if (key === undefined) return undefined;
    const authorities = signers.after(parent, chain);
    return openProposals(await proposals.list(), authorities, key.address)[0];
  }
}
