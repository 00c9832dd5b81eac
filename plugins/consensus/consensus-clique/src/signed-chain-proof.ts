import type { ChainReader, Hash, SealedHeader } from "@plinth/core";
import { type HeaderProof, verifyLink } from "@plinth/core/consensus";
import type { Signers } from "./signers/signers.js";

/** The rules of the chain that is proven. */
export interface SignedChainRules {
  readonly signers: Pick<Signers, "after">;
  verifyHeader(header: SealedHeader, parent: SealedHeader, chain: ChainReader): void;
}

/** A header, and the number of the one at which enough signers have built on it. */
interface OpenHeader {
  readonly header: SealedHeader;
  readonly provenAt: bigint;
}

/**
 * Verifies every header by every rule.
 *
 * A header is proven once twice as many headers as there are signers are on top of it: a minority
 * of them cannot produce as many in a row.
 */
export class SignedChainProof implements HeaderProof {
  readonly #rules: SignedChainRules;
  /** Not proven yet, the oldest first. */
  readonly #open: OpenHeader[] = [];
  readonly #byHash = new Map<Hash, SealedHeader>();
  #last: SealedHeader;
  #proven: bigint;

  constructor(start: SealedHeader, rules: SignedChainRules) {
    this.#last = start;
    this.#proven = start.number;
    this.#rules = rules;
    this.#keep(start);
  }

  add(header: SealedHeader): void {
    verifyLink(header, this.#last);
    this.#rules.verifyHeader(header, this.#last, this.#chain);
    this.#last = header;
    this.#keep(header);
    for (let next = this.#open[0]; next !== undefined; next = this.#open[0]) {
      if (next.provenAt > header.number) return;
      this.#proven = next.header.number;
      this.#open.shift();
      this.#byHash.delete(next.header.hash);
    }
  }

  async finish(): Promise<bigint> {
    return this.#proven;
  }

  #keep(header: SealedHeader): void {
    this.#byHash.set(header.hash, header);
    const { members } = this.#rules.signers.after(header, this.#chain);
    this.#open.push({ header, provenAt: header.number + 2n * BigInt(members.length) });
  }

  /** As many headers as the rules read: signers must wait for fewer blocks than are open. */
  readonly #chain: ChainReader = {
    findHeader: (hash) => this.#byHash.get(hash),
    findBlock: () => undefined,
    findTotalDifficulty: () => undefined,
  };
}
