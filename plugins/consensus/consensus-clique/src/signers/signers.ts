import type { Address, ChainReader, Header, SealedHeader } from "@plinth/core";
import {
  type Authorities,
  type AuthorityCheckpoints,
  AuthorityHistory,
  castVote,
} from "@plinth/kit-poa";
import { listedSigners } from "../extra-data.js";
import type { Seals } from "../seal.js";
import type { CliqueSchedule } from "../settings.js";
import { blocksToSkip, findRecentBlock } from "./signer-turns.js";
import { voteIn } from "./vote.js";

type Reader = Pick<ChainReader, "findHeader">;

/** The signers: those that the last epoch block lists, changed by the votes since. */
export class Signers {
  readonly history: AuthorityHistory;
  readonly #seals: Seals;

  constructor(schedule: CliqueSchedule, seals: Seals, checkpoints: AuthorityCheckpoints) {
    this.#seals = seals;
    this.history = new AuthorityHistory(
      {
        namedIn: (header) =>
          schedule.isEpoch(header.number) && isSigned(header) ? listedSigners(header) : undefined,
        next(before, header) {
          if (!isSigned(header)) return before;
          const vote = voteIn(header, (voted) => seals.signerOf(voted));
          return vote === undefined ? before : castVote(before, vote);
        },
      },
      checkpoints,
    );
  }

  /** The signers for a block on this parent, in ascending order, and the pending votes. */
  after(parent: SealedHeader, chain: Reader): Authorities {
    return this.history.after(parent, chain);
  }

  /**
   * The signer of a block; the zero address for block 0, and the coinbase once proof of stake has
   * replaced Clique.
   */
  of(header: Header): Address {
    return isSigned(header) ? this.#seals.signerOf(header) : header.coinbase;
  }

  /**
   * The number of the recent block because of which a signer must not sign on this parent yet;
   * `undefined` if it may.
   */
  findRecentBlock(signer: Address, parent: SealedHeader, chain: Reader): bigint | undefined {
    const skip = blocksToSkip(this.after(parent, chain).members.length);
    return findRecentBlock(signer, parent, { skip, chain, signerOf: (header) => this.of(header) });
  }
}

/** Blocks after the merge have no difficulty, and no seal. */
function isSigned({ number, difficulty }: Header): boolean {
  return number === 0n || difficulty > 0n;
}
