import { type Fork, isAtLeast } from "../evm/fork.js";
import { configError, findMember, readConfigNumber } from "./config-values.js";

/** How many blobs a block is meant to have and may have, and how fast their price follows. */
export interface BlobCounts {
  readonly target: bigint;
  readonly max: bigint;
  readonly updateFraction: bigint;
}

/** How blobs are counted and priced at a block. */
export interface BlobRules extends BlobCounts {
  /** EIP-7918: a blob costs no less than the gas it would take to carry it. */
  readonly hasReservePrice: boolean;
}

/** New counts from a time on, between forks (EIP-7892). */
export interface BlobChange {
  readonly time: bigint;
  readonly counts: BlobCounts;
}

/** EIP-4844 and EIP-7691. */
const CANCUN: BlobCounts = { target: 3n, max: 6n, updateFraction: 3_338_477n };
const PRAGUE: BlobCounts = { target: 6n, max: 9n, updateFraction: 5_007_716n };
const CHANGES = ["bpo1", "bpo2", "bpo3", "bpo4", "bpo5"];

/** How blobs are counted at which block. */
export class BlobSchedule {
  readonly #cancun: BlobCounts;
  readonly #prague: BlobCounts;
  readonly #osaka: BlobCounts;
  /** The latest first. */
  readonly #changes: readonly BlobChange[];

  /** What is left out is as on the main network. */
  constructor(
    counts: { readonly cancun?: BlobCounts; readonly prague?: BlobCounts; osaka?: BlobCounts } = {},
    changes: readonly BlobChange[] = [],
  ) {
    this.#cancun = counts.cancun ?? CANCUN;
    this.#prague = counts.prague ?? PRAGUE;
    this.#osaka = counts.osaka ?? this.#prague;
    this.#changes = [...changes].sort((a, b) => Number(b.time - a.time));
  }

  /** When the counts change between forks, the earliest first. */
  changeTimes(): readonly bigint[] {
    return this.#changes.map(({ time }) => time).reverse();
  }

  /** The rules under a fork at a time; `undefined` before blobs. */
  at(fork: Fork, timestamp: bigint): BlobRules | undefined {
    if (!isAtLeast(fork, "cancun")) return undefined;
    const change = this.#changes.find(({ time }) => time <= timestamp);
    return {
      ...(change?.counts ?? this.#countsOf(fork)),
      hasReservePrice: isAtLeast(fork, "osaka"),
    };
  }

  #countsOf(fork: Fork): BlobCounts {
    if (isAtLeast(fork, "osaka")) return this.#osaka;
    return isAtLeast(fork, "prague") ? this.#prague : this.#cancun;
  }
}

/** Reads `blobSchedule` and the times of its changes from a genesis file's `config`; an error names the key. */
export function readBlobSchedule(config: object): BlobSchedule {
  const schedule = findMember(config, "blobSchedule");
  const counts = (name: string) => {
    const given = findMember(schedule, name);
    return given === undefined ? {} : { [name]: readCounts(given, `blobSchedule.${name}`) };
  };
  const changes = CHANGES.flatMap((name): readonly BlobChange[] => {
    const time = findMember(config, `${name}Time`);
    if (time === undefined) return [];
    const given = findMember(schedule, name);
    if (given === undefined)
      throw configError(`blobSchedule.${name}`, `is missing for ${name}Time`);
    return [
      {
        time: readConfigNumber(`${name}Time`, time),
        counts: readCounts(given, `blobSchedule.${name}`),
      },
    ];
  });
  return new BlobSchedule(
    { ...counts("cancun"), ...counts("prague"), ...counts("osaka") },
    changes,
  );
}

function readCounts(json: unknown, key: string): BlobCounts {
  const read = (name: string) => readConfigNumber(`${key}.${name}`, findMember(json, name));
  const counts = {
    target: read("target"),
    max: read("max"),
    updateFraction: read("baseFeeUpdateFraction"),
  };
  if (counts.updateFraction === 0n) throw configError(`${key}.baseFeeUpdateFraction`, "is zero");
  return counts;
}
