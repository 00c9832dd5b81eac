import { FORKS, type Fork } from "../evm/fork.js";
import { RECORDS } from "../evm/forks/records.js";
import type { BlobCounts, ForkRecord } from "../evm/forks/rule-set.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import { configError, findMember, readConfigNumber } from "./config-values.js";

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

/** What a genesis file says in place of the counts of a fork. */
export type OwnCounts = Readonly<Partial<Record<Fork, BlobCounts>>>;

/** The forks that have blobs. */
const BLOB_FORKS = FORKS.filter((fork) => rulesOf(fork).blobs !== undefined);
const CHANGES = ["bpo1", "bpo2", "bpo3", "bpo4", "bpo5"];

/** How blobs are counted at which block. */
export class BlobSchedule {
  readonly #counts: ReadonlyMap<Fork, BlobCounts>;
  /** The latest first. */
  readonly #changes: readonly BlobChange[];

  /** What is left out is as on the main network. */
  constructor(own: OwnCounts = {}, changes: readonly BlobChange[] = []) {
    this.#counts = countsByFork(own);
    this.#changes = [...changes].sort((a, b) => Number(b.time - a.time));
  }

  /** When the counts change between forks, the earliest first. */
  changeTimes(): readonly bigint[] {
    return this.#changes.map(({ time }) => time).reverse();
  }

  /** The rules under a fork at a time; `undefined` before blobs. */
  at(fork: Fork, timestamp: bigint): BlobRules | undefined {
    const counts = this.#counts.get(fork);
    if (counts === undefined) return undefined;
    const change = this.#changes.find(({ time }) => time <= timestamp);
    const { hasBlobReservePrice: hasReservePrice } = rulesOf(fork);
    return { ...(change?.counts ?? counts), hasReservePrice };
  }
}

/** Reads `blobSchedule` and the times of its changes from a genesis file's `config`; an error names the key. */
export function readBlobSchedule(config: object): BlobSchedule {
  const schedule = findMember(config, "blobSchedule");
  const own = BLOB_FORKS.flatMap((fork) => {
    const given = findMember(schedule, fork);
    return given === undefined ? [] : [[fork, readCounts(given, `blobSchedule.${fork}`)] as const];
  });
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
  return new BlobSchedule(Object.fromEntries(own), changes);
}

/** A fork that changes nothing about them has those of the fork before it, be they the file's own. */
function countsByFork(own: OwnCounts): ReadonlyMap<Fork, BlobCounts> {
  const counts = new Map<Fork, BlobCounts>();
  let latest: BlobCounts | undefined;
  for (const fork of BLOB_FORKS) {
    const { blobs }: ForkRecord = RECORDS[fork];
    latest = own[fork] ?? blobs ?? latest;
    if (latest !== undefined) counts.set(fork, latest);
  }
  return counts;
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
