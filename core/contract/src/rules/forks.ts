import type { ForkPoint } from "../consensus/fork-rules.js";
import { FORKS, type Fork, isAtLeast } from "../evm/fork.js";
import { RECORDS } from "../evm/forks/records.js";
import type { ForkRecord, RuleSet } from "../evm/forks/rule-set.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import type { BlobRules } from "./blob-schedule.js";
import { type ChainRules, readChainRules, USUAL_RULES } from "./chain-rules.js";
import { configError, findMember, readConfigNumber } from "./config-values.js";

/** The activation of a fork: a block number, or a time in seconds. */
export interface ForkActivation {
  readonly fork: Fork;
  readonly by: "block" | "time";
  readonly value: bigint;
}

/** The genesis keys that activate a fork. */
type KeyKind = "blockKeys" | "timeKeys";

const FORK_BY_BLOCK_KEY = byLowerKey("blockKeys");
const FORK_BY_TIME_KEY = byLowerKey("timeKeys");

/** The keys of all supported forks. */
export const FORK_KEYS: readonly string[] = [...keysOf("blockKeys"), ...keysOf("timeKeys")].map(
  ([key]) => key,
);

/** The forks activated by time; the key of each is its name and `Time`. */
export const TIMED_FORKS: readonly Fork[] = keysOf("timeKeys").map(([, fork]) => fork);

/** Forks of a network that diverged; their rules are not implemented. */
const FOREIGN_KEYS: readonly string[] = [
  "classicforkblock",
  "ecip1015block",
  "diehardblock",
  "gothamblock",
  "ecip1041block",
  "atlantisblock",
  "aghartablock",
  "phoenixblock",
  "thanosblock",
  "magnetoblock",
  "mystiqueblock",
  "spiralblock",
];

/** Which rules apply to which block. */
export class ForkSchedule {
  /** In the order of the rule sets; implied forks may be missing. */
  readonly activations: readonly ForkActivation[];
  /** The rules of every block. */
  readonly rules: ChainRules;

  constructor(activations: readonly ForkActivation[], rules = USUAL_RULES) {
    this.rules = rules;
    this.activations = [...activations].sort(
      (a, b) => FORKS.indexOf(a.fork) - FORKS.indexOf(b.fork),
    );
  }

  /** The latest active rule set; a file that names only late forks implies the earlier ones. */
  at(point: ForkPoint): Fork {
    const begun = this.activations.findLast((activation) => hasBegun(activation, point));
    const fork = begun?.fork ?? "frontier";
    const isMerged = point.difficulty === 0n && this.rules.terminalTotalDifficulty !== undefined;
    return isMerged && !isAtLeast(fork, "paris") ? "paris" : fork;
  }

  /** The rules of the latest rule set. */
  rulesAt(point: ForkPoint): RuleSet {
    return rulesOf(this.at(point));
  }

  /**
   * The activation block of a fork; `undefined` if it is activated by time, implied, or never
   * active.
   */
  firstBlockOf(fork: Fork): bigint | undefined {
    return this.activations.find((found) => found.fork === fork && found.by === "block")?.value;
  }

  /** The blob schedule there; `undefined` before blobs. */
  blobsAt(point: ForkPoint): BlobRules | undefined {
    return this.rules.blobs.at(this.at(point), point.timestamp);
  }

  /** Whether the rules of a fork apply there. */
  isActive(fork: Fork, point: ForkPoint): boolean {
    return isAtLeast(this.at(point), fork);
  }
}

/**
 * Parses the forks of a genesis file's `config`, and related fields of the enclosing file; an error
 * names the key.
 */
export function readForks(config: object, genesis: object = {}): ForkSchedule {
  verifyPetersburg(config);
  const activations: ForkActivation[] = [];
  for (const [key, value] of Object.entries(config)) {
    const name = key.toLowerCase();
    if (FOREIGN_KEYS.includes(name))
      throw configError(key, "is a fork of Ethereum Classic, which is not supported");
    const byBlock = FORK_BY_BLOCK_KEY.get(name);
    const byTime = FORK_BY_TIME_KEY.get(name);
    if (value === null || (name === "daoforkblock" && Number(value) === 0)) continue;
    if (byBlock !== undefined)
      activations.push({ fork: byBlock, by: "block", value: readConfigNumber(key, value) });
    if (byTime !== undefined)
      activations.push({ fork: byTime, by: "time", value: readConfigNumber(key, value) });
  }
  return new ForkSchedule(activations, readChainRules(config, genesis));
}

/** The key under `config` that activates a fork, as the file spells it. */
export function findForkKey(config: object, fork: Fork): string | undefined {
  return Object.keys(config).findLast((key) => {
    const name = key.toLowerCase();
    return (FORK_BY_BLOCK_KEY.get(name) ?? FORK_BY_TIME_KEY.get(name)) === fork;
  });
}

/** Keys may be in any case. */
function byLowerKey(kind: KeyKind): ReadonlyMap<string, Fork> {
  return new Map(keysOf(kind).map(([key, fork]) => [key.toLowerCase(), fork]));
}

function keysOf(kind: KeyKind): readonly (readonly [key: string, fork: Fork])[] {
  return FORKS.flatMap((fork) => {
    const { [kind]: keys = [] }: ForkRecord = RECORDS[fork];
    return keys.map((key) => [key, fork] as const);
  });
}

/** The fork has two names; a file that uses both may contain two blocks. */
function verifyPetersburg(config: object): void {
  const [first, second] = ["petersburgBlock", "constantinopleFixBlock"] as const;
  if (findMember(config, first) === undefined || findMember(config, second) === undefined) return;
  throw configError(first, `and ${second} are two names of one fork; expected one of them`);
}

function hasBegun({ by, value }: ForkActivation, { number, timestamp }: ForkPoint): boolean {
  return value <= (by === "block" ? number : timestamp);
}
