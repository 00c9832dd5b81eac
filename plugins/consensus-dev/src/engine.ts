import {
  type Address,
  type ConsensusEngine,
  type Hash,
  type Header,
  InvalidBlock,
  keccakHeader,
  type ProducerHost,
  type SealedHeader,
} from "@plinth/core";

/** One node makes every block; nothing is sealed, and nobody has to agree. */
export class DevEngine implements ConsensusEngine {
  readonly #periodSeconds: number | undefined;

  constructor(periodSeconds?: number) {
    this.#periodSeconds = periodSeconds;
  }

  hashHeader(header: Header): Hash {
    return keccakHeader(header);
  }

  author({ coinbase }: Header): Address {
    return coinbase;
  }

  feeRecipient({ coinbase }: Header): Address {
    return coinbase;
  }

  verifyHeader(header: SealedHeader, parent: SealedHeader): void {
    if (header.timestamp > parent.timestamp) return;
    throw new InvalidBlock("timestamp", `block ${header.number} is not later than its parent`);
  }

  prepareHeader(draft: Header): Header {
    return { ...draft, difficulty: 1n };
  }

  async produce(host: ProducerHost): Promise<void> {
    const { signal, clock, head, build, submit } = host;
    while (!signal.aborted) {
      await this.#nextTurn(host);
      const now = BigInt(Math.floor(clock.now() / 1000));
      const earliest = head().timestamp + 1n;
      await submit(await build({ timestamp: now > earliest ? now : earliest }));
    }
  }

  #nextTurn({ clock, signal, transactionsPending }: ProducerHost): Promise<void> {
    if (this.#periodSeconds === undefined) return transactionsPending();
    return clock.sleep(this.#periodSeconds * 1000, signal);
  }
}
