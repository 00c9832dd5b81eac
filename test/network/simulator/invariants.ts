import { type Block, encodeRlp, type Hash, InvalidBlock, toHex } from "@plinth/core";
import type { BftMessage, BlockForm, Proposal, RoundChange } from "@plinth/kit-bft";
import type { WireForm } from "./wire-form.js";

/** The last commit of a validator at a height, and the highest round that it changed to. */
interface Promises {
  committed?: { readonly round: number; readonly digest: Hash };
  changedTo: number;
}

/**
 * The invariants under all faults: one block is final at each height, and no honest validator
 * contradicts itself.
 *
 * It survives crashes and remembers lost blocks.
 */
export class Invariants {
  readonly problems: string[] = [];
  readonly #form: BlockForm;
  readonly #wire: WireForm;
  readonly #final = new Map<bigint, Set<Hash>>();
  /** What honest validators have signed, by author, kind, height and round. */
  readonly #signed = new Map<string, string>();
  readonly #verified = new WeakSet<object>();
  readonly #promises = new Map<string, Promises>();

  constructor(form: BlockForm, wire: WireForm) {
    this.#form = form;
    this.#wire = wire;
  }

  /** The highest number of a block that was ever final. */
  get highest(): bigint {
    return [...this.#final.keys()].reduce((a, b) => (a > b ? a : b), 0n);
  }

  /** The hashes of the blocks that were ever final at a height. */
  hashesAt(number: bigint): readonly Hash[] {
    return [...(this.#final.get(number) ?? [])];
  }

  /**
   * An honest validator has decided or imported a block; `verifyImported` throws if others must not
   * import it.
   */
  committed(block: Block, verifyImported: (block: Block) => void): void {
    const { number } = block.header;
    const hash = this.#form.hashOf(block.header);
    const known = this.#final.get(number) ?? new Set();
    this.#final.set(number, known.add(hash));
    if (known.size > 1) {
      this.problems.push(`two blocks are final at height ${number}: ${[...known].join(" and ")}`);
    }
    try {
      verifyImported(block);
    } catch (error) {
      if (!(error instanceof InvalidBlock)) throw error;
      this.problems.push(`block ${number} was committed and cannot be imported: ${error.message}`);
    }
  }

  /** An honest validator sends its own message. */
  sent(message: BftMessage<Proposal, RoundChange>): void {
    // It goes to all validators.
    if (this.#verified.has(message)) return;
    this.#verified.add(message);
    const { kind, height, round, author, signed } = message;
    const key = `${author} ${kind} ${height} ${round}`;
    const content = toHex(encodeRlp(signed));
    const known = this.#signed.get(key);
    if (known === content) return;
    this.#signed.set(key, content);
    if (known !== undefined) {
      this.problems.push(`${author} sent two ${kind}s for height ${height}, round ${round}`);
    }
    this.#verifyPromises(message);
  }

  /**
   * A validator that commits keeps its block in later rounds, and one that changed the round does
   * not go back.
   */
  #verifyPromises(message: BftMessage<Proposal, RoundChange>): void {
    const { height, round, author } = message;
    const key = `${author} ${height}`;
    const promises = this.#promises.get(key) ?? { changedTo: 0 };
    this.#promises.set(key, promises);
    if (message.kind === "round-change") {
      this.#verifyClaim(message, promises);
      promises.changedTo = Math.max(promises.changedTo, round);
    } else if (round < promises.changedTo) {
      this.problems.push(
        `${author} sent a ${message.kind} for height ${height}, round ${round}, and had changed to round ${promises.changedTo}`,
      );
    }
    if (message.kind === "commit" && round >= (promises.committed?.round ?? 0)) {
      promises.committed = { round, digest: message.digest };
    }
  }

  #verifyClaim(message: RoundChange, { committed }: Promises): void {
    const { author, height, round, preparedRound } = message;
    if (committed === undefined || committed.round >= round) return;
    const isKept =
      preparedRound !== undefined &&
      (preparedRound > committed.round ||
        (preparedRound === committed.round &&
          this.#wire.claimedDigest(message) === committed.digest));
    if (isKept) return;
    this.problems.push(
      `${author} committed in round ${committed.round} of height ${height}, and its change to round ${round} claims ${preparedRound}`,
    );
  }
}
