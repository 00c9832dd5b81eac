import {
  type Address,
  type Clock,
  type ConsensusEngine,
  getCrypto,
  type Hash,
  type Header,
  InvalidBlock,
  type ProducerHost,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import type { NextHead } from "./next-head.js";
import { hashWithoutSeal, seal, signerOf } from "./seal.js";
import type { TurnsSettings } from "./settings.js";

/** Authorities make blocks in a fixed order, one block each; the longest chain wins. */
export class TurnsEngine implements ConsensusEngine {
  readonly finality = "eventual";
  readonly periodMs: () => number;
  readonly #period: bigint;
  readonly #authorities: readonly Address[];
  readonly #privateKey: Uint8Array | undefined;
  readonly #nextHead: NextHead;

  constructor(
    { periodseconds, authorities }: TurnsSettings,
    own: { readonly privateKey: Uint8Array | undefined; readonly nextHead: NextHead },
  ) {
    this.periodMs = () => periodseconds * 1000;
    this.#period = BigInt(periodseconds);
    this.#authorities = authorities;
    this.#privateKey = own.privateKey;
    this.#nextHead = own.nextHead;
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

  verifyHeader(header: SealedHeader, parent: SealedHeader): void {
    const { number, timestamp, difficulty } = header;
    const author = this.author(header);
    if (!this.#isTurnOf(author, number)) {
      throw new InvalidBlock("out-of-turn", `block ${number} was signed by ${author}`);
    }
    if (timestamp < parent.timestamp + this.#period) {
      throw new InvalidBlock("too-early", `block ${number} came before its period had passed`);
    }
    if (difficulty !== 1n) {
      throw new InvalidBlock("difficulty", `block ${number}: every block weighs the same`);
    }
  }

  verifyBlock({ header, body }: SealedBlock): void {
    if (body.uncles.length === 0) return;
    throw new InvalidBlock("uncles", `block ${header.number}: there are no uncles here`);
  }

  nextTimestamp({ timestamp }: SealedHeader, clock: Pick<Clock, "now">): bigint {
    const due = timestamp + this.#period;
    const now = BigInt(Math.floor(clock.now() / 1000));
    return now > due ? now : due;
  }

  prepareHeader(draft: Header): Header {
    const key = this.#privateKey;
    return { ...draft, difficulty: 1n, ...(key && { coinbase: addressOf(key) }) };
  }

  async produce(host: ProducerHost): Promise<void> {
    const key = this.#privateKey;
    if (key === undefined) return;
    const self = addressOf(key);
    while (!host.signal.aborted) {
      if (this.#isTurnOf(self, host.head().number + 1n)) await this.#takeTurn(host, key);
      else await this.#nextHead.wait(host.signal);
    }
  }

  async #takeTurn(host: ProducerHost, key: Uint8Array): Promise<void> {
    const { signal, clock, head, build, submit } = host;
    const parent = head();
    const due = Number(parent.timestamp + this.#period) * 1000;
    if (due > clock.now()) await clock.sleep(due - clock.now(), signal);
    if (head().hash !== parent.hash) return;
    const built = await build({ timestamp: this.nextTimestamp(parent, clock) });
    await submit(built, seal(built.block.header, key));
  }

  #isTurnOf(address: Address, number: bigint): boolean {
    const turn = Number(number % BigInt(this.#authorities.length));
    return this.#authorities[turn] === address;
  }
}

function addressOf(privateKey: Uint8Array): Address {
  const { addressOf, publicKeyOf } = getCrypto();
  return addressOf(publicKeyOf(privateKey));
}
