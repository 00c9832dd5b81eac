import {
  type ChainReader,
  EMPTY_ROOT,
  type Header,
  InvalidBlock,
  type SealedHeader,
  ZERO_ADDRESS,
  ZERO_HASH,
} from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import type { ForkRules } from "@plinth/core/consensus";
import { countListedSigners, listedSigners } from "./extra-data.js";
import type { CliqueSchedule } from "./settings.js";
import { difficultyOf } from "./signers/signer-turns.js";
import type { Signers } from "./signers/signers.js";
import { isVoteNonce } from "./signers/vote.js";

/** Context of the rules. */
export interface RuleSettings {
  readonly schedule: CliqueSchedule;
  readonly forks: Pick<ForkRules, "isActive">;
  readonly signers: Signers;
}

/** The rules of Clique headers, in addition to those of every chain. */
export class HeaderRules {
  readonly #settings: RuleSettings;

  constructor(settings: RuleSettings) {
    this.#settings = settings;
  }

  /** Throws `InvalidBlock` with the first rule that a header breaks. */
  verify(header: SealedHeader, parent: SealedHeader, chain: ChainReader): void {
    this.#verifyForm(header, parent);
    this.#verifySigner(header, parent, chain);
  }

  /** Rules that do not depend on the signers. */
  #verifyForm(header: SealedHeader, parent: SealedHeader): void {
    const { schedule, forks } = this.#settings;
    const { number, timestamp } = header;
    const { periodSeconds, takesEmpty } = schedule.at(number);
    const isEpoch = schedule.isEpoch(number);
    const listed = countListedSigners(header);
    expect(header, "fork", !forks.isActive("shanghai", header), "Clique ends with Shanghai");
    expect(header, "uncles", header.unclesHash === NO_UNCLES_HASH, "it has uncles");
    expect(header, "mix-hash", header.mixHash === ZERO_HASH, "its mix hash is not zero");
    expect(header, "nonce", isVoteNonce(header.nonce), "its nonce is neither zero nor all ones");
    const isVoteAllowed = !isEpoch || header.coinbase === ZERO_ADDRESS;
    expect(header, "epoch-vote", isVoteAllowed, "an epoch block has no vote");
    expect(
      header,
      "signer-list",
      isEpoch || listed === 0,
      "it lists signers, which only epoch blocks do",
    );
    expect(
      header,
      "too-early",
      timestamp >= parent.timestamp + periodSeconds,
      `its timestamp ${timestamp} is less than ${periodSeconds} s after its parent's ${parent.timestamp}`,
    );
    const hasTransactions = header.transactionsRoot !== EMPTY_ROOT;
    expect(header, "empty-block", takesEmpty || hasTransactions, "it has no transactions");
  }

  #verifySigner(header: SealedHeader, parent: SealedHeader, chain: ChainReader): void {
    const { schedule, signers } = this.#settings;
    const { number, difficulty } = header;
    const { members } = signers.after(parent, chain);
    if (schedule.isEpoch(number)) {
      const isSame =
        countListedSigners(header) === members.length &&
        listedSigners(header).every((listed, index) => listed === members[index]);
      expect(header, "signer-list", isSame, `it does not list the signers ${members.join(", ")}`);
    }
    const signer = signers.of(header);
    expect(
      header,
      "signer",
      members.includes(signer),
      `it was signed by ${signer}, which is not a signer`,
    );
    const recent = signers.findRecentBlock(signer, parent, chain);
    expect(
      header,
      "recently-signed",
      recent === undefined,
      `${signer} signed block ${recent} and must wait`,
    );
    const expected = difficultyOf(signer, number, members);
    expect(
      header,
      "difficulty",
      difficulty === expected,
      `its difficulty is ${difficulty}, expected ${expected} of ${signer}`,
    );
  }
}

function expect({ number }: Header, rule: string, isKept: boolean, problem: string): void {
  if (!isKept) throw new InvalidBlock(rule, `block ${number}: ${problem}`);
}
