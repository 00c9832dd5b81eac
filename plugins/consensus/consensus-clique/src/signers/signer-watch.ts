import type { Address, Health, SealedHeader } from "@plinth/core";
import type { Sample } from "@plinth/core/kernel";

/** A signer is reported after this many missed turns in a row without a block in between. */
const MISSES_TO_REPORT = 3;

/** Statistics of a signer since this node started. */
interface Record {
  lastBlock: bigint | undefined;
  misses: number;
  missesInARow: number;
}

/** Tracks which signers produce blocks, and which miss their turns. */
export class SignerWatch {
  readonly #records = new Map<Address, Record>();

  /** Records a block that joined the canonical chain. */
  joined(
    { number }: SealedHeader,
    { signer, inTurn }: { readonly signer: Address; readonly inTurn: Address | undefined },
  ): void {
    const record = this.#of(signer);
    record.lastBlock = number;
    record.missesInARow = 0;
    if (inTurn === undefined || inTurn === signer) return;
    const absent = this.#of(inTurn);
    absent.misses++;
    absent.missesInARow++;
  }

  /** Drops former signers. */
  keep(members: readonly Address[]): void {
    for (const address of this.#records.keys()) {
      if (!members.includes(address)) this.#records.delete(address);
    }
    for (const member of members) this.#of(member);
  }

  lastBlocks(): readonly Sample[] {
    return this.#samples(({ lastBlock }) => Number(lastBlock ?? 0n));
  }

  misses(): readonly Sample[] {
    return this.#samples(({ misses }) => misses);
  }

  health(): Health {
    const absent = [...this.#records].filter(
      ([, { missesInARow }]) => missesInARow >= MISSES_TO_REPORT,
    );
    if (absent.length === 0) return { status: "up" };
    const texts = absent.map(
      ([address, { missesInARow, lastBlock }]) =>
        `${address} missed its last ${missesInARow} turns${lastBlock === undefined ? "" : ` and produced no block since ${lastBlock}`}`,
    );
    return { status: "degraded", detail: texts.join("; ") };
  }

  #samples(read: (record: Record) => number): readonly Sample[] {
    return [...this.#records].map(([signer, record]) => ({
      labels: { signer },
      value: read(record),
    }));
  }

  #of(address: Address): Record {
    const found = this.#records.get(address);
    if (found !== undefined) return found;
    const record = { lastBlock: undefined, misses: 0, missesInARow: 0 };
    this.#records.set(address, record);
    return record;
  }
}
