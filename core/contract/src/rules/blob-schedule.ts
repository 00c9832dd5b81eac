import { FORKS, type Fork } from "../evm/fork.js";
import { RECORDS } from "../evm/forks/records.js";
import type { BlobCounts, ForkRecord } from "../evm/forks/rule-set.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import { configError, findMember, readConfigNumber } from "./config-values.js";

/** How blobs are counted and priced at a block. */
export interface BlobRules extends BlobCounts {
  /** EIP-7918: minimum blob price, bounded by execution costs. */
  readonly hasReservePrice: boolean;
}

/** New counts from a time on, between forks (EIP-7892). */
export interface BlobChange {
  readonly time: bigint;
  readonly counts: BlobCounts;
}

/** Overrides of the counts of a fork in a genesis file. */
export type OwnCounts = Readonly<Partial<Record<Fork, BlobCounts>>>;

/** The forks with blobs. */
const BLOB_FORKS = FORKS.filter((fork) => rulesOf(fork).blobs !== undefined);
const CHANGES = ["bpo1", "bpo2", "bpo3", "bpo4", "bpo5"];

/** The blob counts of every block. */
export class BlobSchedule {
  readonly #rules: ReadonlyMap<Fork, BlobRules>;
  /** Latest first. */
  readonly #changes: readonly BlobChange[];

  /** Omitted values are those of mainnet. */
  constructor(own: OwnCounts = {}, changes: readonly BlobChange[] = []) {
    this.#rules = rulesByFork(own);
    this.#changes = [...changes].sort((a, b) => Number(b.time - a.time));
  }

  /** The times at which counts change between forks, earliest first. */
  changeTimes(): readonly bigint[] {
    return this.#changes.map(({ time }) => time).reverse();
  }

  /** The rules under a fork at a time; `undefined` before blobs. */
  at(fork: Fork, timestamp: bigint): BlobRules | undefined {
    const rules = this.#rules.get(fork);
    if (rules === undefined) return undefined;
    const change = this.#changes.find(({ time }) => time <= timestamp);
    return change === undefined ? rules : { ...rules, ...change.counts };
  }
}

/**
 * Parses `blobSchedule` and the times of its changes from a genesis file's `config`; an error names
 * the key.
 */
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

/**
 * A fork without its own counts inherits those of the previous fork, including overrides of the
 * file.
 */
function rulesByFork(own: OwnCounts): ReadonlyMap<Fork, BlobRules> {
  const rules = new Map<Fork, BlobRules>();
  let latest: BlobCounts | undefined;
  for (const fork of BLOB_FORKS) {
    const { blobs }: ForkRecord = RECORDS[fork];
    latest = own[fork] ?? blobs ?? latest;
    const { hasBlobReservePrice: hasReservePrice } = rulesOf(fork);
    if (latest !== undefined) rules.set(fork, { ...latest, hasReservePrice });
  }
  return rules;
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
