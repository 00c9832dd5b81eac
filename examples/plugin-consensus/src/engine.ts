import {
  type Address,
  type ChainReader,
  type Clock,
  type ConsensusEngine,
  type EngineContext,
  type FieldPresence,
  type Hash,
  type Header,
  InvalidBlock,
  keccakHeader,
  type ProducerHost,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import type { Authorities } from "./authorities.js";
import { encodeVote, type Vote, voteIn } from "./extra-data.js";
import { hashWithoutSeal, signerOf, withSeal } from "./seal.js";
import type { TurnsSettings, TurnsTransition } from "./settings.js";
import type { SignedBlocks } from "./signed-blocks.js";

/** The dependencies of the engine besides its context. */
export interface TurnsParts {
  readonly authorities: Authorities;
  readonly signed: SignedBlocks;
  /** The vote of this node in its next block. */
  readonly proposal: () => Vote | undefined;
}

/**
 * Authorities produce blocks in turn, one block each, and vote new ones in; the longest chain wins.
 */
export class TurnsEngine implements ConsensusEngine {
  readonly finality = "eventual";
  readonly #context: EngineContext<TurnsSettings, TurnsTransition>;
  readonly #parts: TurnsParts;

  constructor(context: EngineContext<TurnsSettings, TurnsTransition>, parts: TurnsParts) {
    this.#context = context;
    this.#parts = parts;
  }

  hashHeader(header: Header): Hash {
    return hashWithoutSeal(header);
  }

  author(header: Header): Address {
    return header.number === 0n ? header.coinbase : signerOf(header);
  }

  feeRecipient({ coinbase }: Header): Address {
    return coinbase;
  }

  /** Headers of this engine never have the fields of later forks. */
  forkField(): FieldPresence {
    return "absent";
  }

  periodMs({ number }: SealedHeader): number {
    return Number(this.#periodAt(number + 1n)) * 1000;
  }

  verifyHeader(header: SealedHeader, parent: SealedHeader, chain: ChainReader): void {
    const { number, timestamp, difficulty } = header;
    voteIn(header);
    const author = this.author(header);
    if (!this.#isTurnOf(author, parent, chain)) {
      throw new InvalidBlock("out-of-turn", `block ${number} was signed by ${author}`);
    }
    if (timestamp < parent.timestamp + this.#periodAt(number)) {
      throw new InvalidBlock("too-early", `block ${number} is earlier than its period allows`);
    }
    if (difficulty !== 1n) {
      throw new InvalidBlock("difficulty", `block ${number}: its difficulty must be 1`);
    }
  }

  verifyBlock({ header, body }: SealedBlock): void {
    if (body.uncles.length === 0) return;
    throw new InvalidBlock("uncles", `block ${header.number}: uncles are not allowed`);
  }

  nextTimestamp({ number, timestamp }: SealedHeader, clock: Pick<Clock, "now">): bigint {
    const due = timestamp + this.#periodAt(number + 1n);
    const now = BigInt(Math.floor(clock.now() / 1000));
    return now > due ? now : due;
  }

  prepareHeader(draft: Header): Header {
    const { key } = this.#context;
    const {
      withdrawalsRoot,
      blobGasUsed,
      excessBlobGas,
      parentBeaconBlockRoot,
      requestsHash,
      ...own
    } = draft;
    return {
      ...own,
      difficulty: 1n,
      extraData: encodeVote(this.#parts.proposal()),
      ...(key === undefined ? {} : { coinbase: key.address }),
    };
  }

  async produce(host: ProducerHost): Promise<void> {
    const { key } = this.#context;
    if (key === undefined) return;
    for await (const parent of host.heads()) {
      if (this.#isTurnOf(key.address, parent, host.chain)) await this.#takeTurn(host, parent);
    }
  }

  async #takeTurn(host: ProducerHost, parent: SealedHeader): Promise<void> {
    const { signal, clock, head, build, sign, submit } = host;
    const due = Number(parent.timestamp + this.#periodAt(parent.number + 1n)) * 1000;
    if (due > clock.now()) await clock.sleep(due - clock.now(), signal);
    if (head().hash !== parent.hash) return;
    const built = await build({ parent, timestamp: this.nextTimestamp(parent, clock) });
    const { header } = built.block;
    const hash = keccakHeader(header);
    if (!this.#parts.signed.maySign(header.number, hash)) return;
    await this.#parts.signed.add(header.number, hash);
    await submit(built, withSeal(header, await sign(hash)));
  }

  #isTurnOf(address: Address, parent: SealedHeader, chain: ChainReader): boolean {
    const authorities = this.#parts.authorities.after(parent, chain);
    const turn = Number((parent.number + 1n) % BigInt(authorities.length));
    return authorities[turn] === address;
  }

  #periodAt(number: bigint): bigint {
    const { settings, transitions } = this.#context;
    const change = transitions.findLast(({ block }) => BigInt(block) <= number);
    return BigInt(change?.periodSeconds ?? settings.periodSeconds);
  }
}
