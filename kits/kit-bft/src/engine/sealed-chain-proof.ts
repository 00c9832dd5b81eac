import { type Address, InvalidBlock, type SealedHeader } from "@plinth/core";
import { type HeaderProof, type HeaderTrust, verifyLink } from "@plinth/core/consensus";
import type { HeaderRules } from "../blocks/header-rules.js";
import type { ValidatorSource } from "../validators/validators.js";

/** The seals of every so many headers are verified as well, so that few headers without seals are accepted. */
const SEALED_EVERY = 512n;

/** The rules of the chain that is proven. */
export interface SealedChainRules {
  readonly rules: HeaderRules;
  readonly source: ValidatorSource;
}

/**
 * Proves headers by the seals of the last one of every set of validators, and of every 512th one.
 *
 * Each seal covers all earlier headers by their hashes, and so the votes that elect the next set. A
 * contract elects without votes in headers: then the operator names the set of the last header.
 */
export class SealedChainProof implements HeaderProof {
  readonly #chain: SealedChainRules;
  readonly #trust: HeaderTrust;
  readonly #start: SealedHeader;
  #last: SealedHeader;
  #beforeLast: SealedHeader | undefined;
  /** The validators of the last header; `undefined` if a contract determines them. */
  #validators: readonly Address[] | undefined;

  constructor(start: SealedHeader, trust: HeaderTrust, chain: SealedChainRules) {
    this.#start = start;
    this.#last = start;
    this.#trust = trust;
    this.#chain = chain;
  }

  add(header: SealedHeader): void {
    const { rules, source } = this.#chain;
    verifyLink(header, this.#last);
    const authority = source.authorityByHeaders(this.#last, header.timestamp, {
      findHeader: (hash) => [this.#last, this.#beforeLast].find((known) => known?.hash === hash),
    });
    const { isListed, validators } = authority;
    // Any producer under a contract: its set of that time is not known.
    rules.verifyUnsealed(header, this.#last, {
      isListed,
      validators: validators ?? [header.coinbase],
    });
    const isSame = String(validators) === String(this.#validators);
    if (!isSame && this.#validators !== undefined) this.#verifySeals(this.#validators);
    this.#validators = validators;
    this.#beforeLast = this.#last;
    this.#last = header;
    if (header.number % SEALED_EVERY === 0n && validators !== undefined) {
      this.#verifySeals(validators);
    }
  }

  async finish(): Promise<bigint> {
    if (this.#last !== this.#start) this.#verifySeals(this.#validators ?? this.#trustedSet());
    return this.#last.number;
  }

  #verifySeals(validators: readonly Address[]): void {
    const { number } = this.#last;
    // A quorum of none would be no seal at all.
    if (validators.length === 0) {
      throw new InvalidBlock("validators", `block ${number}: it has no validators`);
    }
    this.#chain.rules.verifySeals(this.#last, validators);
  }

  #trustedSet(): readonly Address[] {
    const { validators } = this.#trust;
    if (validators !== undefined) return validators;
    throw new InvalidBlock(
      "validator-contract",
      `block ${this.#last.number}: a contract determines its validators, which headers do not prove; name the validators of this block`,
    );
  }
}
