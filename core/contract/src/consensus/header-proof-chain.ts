import { InvalidBlock } from "../blocks/errors.js";
import type { SealedHeader } from "../blocks/header.js";
import type { HeaderProof } from "./header-proof.js";

/** A proof over several engines: each proves its own headers, the next one starts after its last. */
export class HeaderProofChain implements HeaderProof {
  readonly #startAt: (header: SealedHeader, last: SealedHeader) => HeaderProof | undefined;
  #current: HeaderProof | undefined;
  #last: SealedHeader;

  /** `startAt` returns the proof that starts with a header, if that is the first one of an engine. */
  constructor(
    start: SealedHeader,
    startAt: (header: SealedHeader, last: SealedHeader) => HeaderProof | undefined,
  ) {
    this.#last = start;
    this.#startAt = startAt;
  }

  async add(header: SealedHeader): Promise<void> {
    const next = this.#startAt(header, this.#last);
    if (next !== undefined) {
      await this.#finishEngine();
      this.#current = next;
    }
    await this.#current?.add(header);
    this.#last = header;
  }

  async finish(): Promise<bigint> {
    return (await this.#current?.finish()) ?? this.#last.number;
  }

  async #finishEngine(): Promise<void> {
    const proven = await this.finish();
    const { number } = this.#last;
    if (proven === number) return;
    throw new InvalidBlock(
      "unproven",
      `block ${number} is the last one of its engine, which proves headers up to block ${proven} only`,
    );
  }
}
