import {
  type Address,
  type Clock,
  FutureBlock,
  type Hash,
  type Header,
  InvalidBlock,
  RlpError,
  type SealedHeader,
} from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import type { ConfigAt } from "../genesis/config-at.js";
import type { BftTransition } from "../genesis/settings.js";
import { quorumOf } from "../height/quorum.js";
import type { BlockForm } from "./block-form.js";
import type { BftExtraData } from "./extra-data.js";
import { recoverSigner } from "./signatures.js";

/** "ctical byzantine fault tolerance": the mix hash of every BFT block. */
export const BFT_MIX_HASH = "0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365";
/** Maximum clock difference of validators. */
const MAX_SECONDS_AHEAD = 1n;

/**
 * Maximum number of bytes after the seals: no hash covers them, so that any relaying peer could add
 * megabytes.
 */
const MAX_SPARE_BYTES = 1024;

/** What the rules need besides the header. */
export interface HeaderRulesParts {
  readonly form: BlockForm;
  readonly config: ConfigAt<BftTransition>;
  readonly clock: Pick<Clock, "now">;
  /** Whether the nonce must be zero. */
  readonly isStrict: boolean;
}

/** The validators of a block, and whether its extra data lists them. */
export interface BlockAuthority {
  readonly validators: readonly Address[];
  readonly isListed: boolean;
}

/** The rules of BFT headers. */
export class HeaderRules {
  readonly #parts: HeaderRulesParts;

  constructor(parts: HeaderRulesParts) {
    this.#parts = parts;
  }

  /** Throws `InvalidBlock` if a header breaks a rule, except for its commit seals and its time. */
  verifyUnsealed(header: Header, parent: SealedHeader, authority: BlockAuthority): void {
    const { number, timestamp } = header;
    const verify = (isKept: boolean, rule: string, problem: string) => {
      if (!isKept) throw new InvalidBlock(rule, `block ${number}: ${problem}`);
    };
    const earliest = this.earliestOn(parent, timestamp);
    verify(
      timestamp >= earliest,
      "timestamp",
      `its time is ${timestamp}, expected at least ${earliest}`,
    );
    verify(header.mixHash === BFT_MIX_HASH, "mix-hash", "its mix hash is not that of BFT blocks");
    verify(
      header.difficulty === 1n,
      "difficulty",
      `its difficulty is ${header.difficulty}, expected 1`,
    );
    if (this.#parts.isStrict) {
      verify(
        header.nonce.every((byte) => byte === 0),
        "nonce",
        "its nonce is not zero",
      );
    }
    // Also for a proposal, whose body the engine does not verify: others could not import the
    // block.
    verify(header.unclesHash === NO_UNCLES_HASH, "uncles", "it has uncles");
    verify(
      authority.validators.includes(header.coinbase),
      "coinbase",
      `${header.coinbase} is not a validator`,
    );
    this.#verifyListed(header, authority, verify);
  }

  /**
   * Throws `FutureBlock` before the time of a block; call it last, since such a block is stored.
   */
  verifyTime(header: Header): void {
    const now = BigInt(Math.floor(this.#parts.clock.now() / 1000));
    if (header.timestamp <= now + MAX_SECONDS_AHEAD) return;
    throw new FutureBlock(header, MAX_SECONDS_AHEAD);
  }

  /**
   * The earliest time of a block on a parent, by the block period; `timestamp` determines the
   * active forks.
   */
  earliestOn({ number, timestamp: before }: SealedHeader, timestamp: bigint): bigint {
    const { config } = this.#parts;
    const { xBlockPeriodMilliseconds, blockPeriodSeconds } = config.at(
      config.scheduled({ number: number + 1n, timestamp }),
    );
    const seconds =
      xBlockPeriodMilliseconds > 0
        ? Math.floor(xBlockPeriodMilliseconds / 1000)
        : blockPeriodSeconds;
    return before + BigInt(seconds);
  }

  /** Throws `InvalidBlock` unless a quorum of the validators has sealed a block. */
  verifySeals(header: Header, validators: readonly Address[]): void {
    const { number } = header;
    const { seals } = this.#decode(header);
    // Before signers are recovered, which takes a tenth of a millisecond each.
    if (seals.length > validators.length) {
      throw new InvalidBlock(
        "seals",
        `block ${number}: ${seals.length} seals of ${validators.length} validators`,
      );
    }
    const signers = this.#recoverAll(header, (signer) => {
      // No further signer is recovered.
      if (validators.includes(signer)) return;
      throw new InvalidBlock(
        "seals",
        `block ${number}: ${signer} sealed it and is not a validator`,
      );
    });
    if (new Set(signers).size !== signers.length) {
      throw new InvalidBlock("seals", `block ${number}: two seals are of the same validator`);
    }
    const quorum = quorumOf(validators.length);
    if (signers.length < quorum) {
      throw new InvalidBlock(
        "seals",
        `block ${number}: ${signers.length} seals, expected ${quorum}`,
      );
    }
  }

  /** The signers of a block, in the order of the seals. */
  signersOf(header: Header): readonly Address[] {
    return this.#recoverAll(header, () => {});
  }

  #recoverAll(header: Header, verify: (signer: Address) => void): readonly Address[] {
    const { seals } = this.#decode(header);
    const hash = this.#parts.form.sealHashOf(header);
    return seals.map((seal) => {
      const signer = this.#recover(header, hash, seal);
      verify(signer);
      return signer;
    });
  }

  #recover(header: Header, hash: Hash, seal: Uint8Array): Address {
    try {
      return recoverSigner(hash, seal);
    } catch (error) {
      throw invalidWhenRlp(error, header, "seals");
    }
  }

  #verifyListed(
    header: Header,
    { validators, isListed }: BlockAuthority,
    verify: (isKept: boolean, rule: string, problem: string) => void,
  ): void {
    const listed = this.#decode(header);
    const spare = this.#parts.form.codec.spareBytes(header.extraData);
    verify(
      spare <= MAX_SPARE_BYTES,
      "extra-data",
      `its extra data has ${spare} bytes after the seals, expected at most ${MAX_SPARE_BYTES}`,
    );
    if (!isListed) {
      verify(
        listed.validators.length === 0,
        "validators",
        "it lists validators although a contract determines them",
      );
      verify(
        listed.vote === undefined,
        "vote",
        "it votes although a contract determines the validators",
      );
      return;
    }
    const count = validators.length;
    verify(
      listed.validators.length === count,
      "validators",
      `it lists ${listed.validators.length} validators, expected ${count}`,
    );
    const wrong = validators.findIndex(
      (validator, index) => validator !== listed.validators[index],
    );
    verify(
      wrong === -1,
      "validators",
      `it lists ${listed.validators[wrong]} as validator ${wrong + 1} of ${count}, expected ${validators[wrong]}`,
    );
  }

  #decode(header: Header): BftExtraData {
    try {
      return this.#parts.form.codec.decode(header.extraData);
    } catch (error) {
      throw invalidWhenRlp(error, header, "extra-data");
    }
  }
}

function invalidWhenRlp(error: unknown, { number }: Header, rule: string): unknown {
  if (!(error instanceof RlpError)) return error;
  return new InvalidBlock(rule, `block ${number}: ${error.message}`, error);
}
