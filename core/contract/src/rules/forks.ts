import type { ForkPoint } from "../consensus/fork-rules.js";
import { FORKS, type Fork, isAtLeast } from "../evm/fork.js";
import { RECORDS } from "../evm/forks/records.js";
import type { ForkRecord, RuleSet } from "../evm/forks/rule-set.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import type { BlobRules } from "./blob-schedule.js";
import { type ChainRules, readChainRules, USUAL_RULES } from "./chain-rules.js";
import { configError, findMember, readConfigNumber } from "./config-values.js";

/** When a fork begins: with a block number, or with a time in seconds. */
export interface ForkActivation {
  readonly fork: Fork;
  readonly by: "block" | "time";
  readonly value: bigint;
}

/** How a genesis file says when a fork begins. */
type KeyKind = "blockKeys" | "timeKeys";

const FORK_BY_BLOCK_KEY = byLowerKey("blockKeys");
const FORK_BY_TIME_KEY = byLowerKey("timeKeys");

/** The keys of every fork that is served. */
export const FORK_KEYS: readonly string[] = [...keysOf("blockKeys"), ...keysOf("timeKeys")].map(
  ([key]) => key,
);

/** The forks that begin at a time; each with the key of its name and `Time`. */
export const TIMED_FORKS: readonly Fork[] = keysOf("timeKeys").map(([, fork]) => fork);

/** Forks of a network that went another way; their rules are not here. */
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

/** Which rules hold at which block. */
export class ForkSchedule {
  /** In the order of the rule sets; forks that a later one implies may be missing. */
  readonly activations: readonly ForkActivation[];
  /** What holds at every block. */
  readonly rules: ChainRules;

  constructor(activations: readonly ForkActivation[], rules = USUAL_RULES) {
    this.rules = rules;
    this.activations = [...activations].sort(
      (a, b) => FORKS.indexOf(a.fork) - FORKS.indexOf(b.fork),
    );
  }

  /** The latest rule set that has begun; a file that names only late forks implies the earlier ones. */
  at(point: ForkPoint): Fork {
    const begun = this.activations.findLast((activation) => hasBegun(activation, point));
    const fork = begun?.fork ?? "frontier";
    const isMerged = point.difficulty === 0n && this.rules.terminalTotalDifficulty !== undefined;
    return isMerged && !isAtLeast(fork, "paris") ? "paris" : fork;
  }

  /** What the latest rule set says. */
  rulesAt(point: ForkPoint): RuleSet {
    return rulesOf(this.at(point));
  }

  /** The block that a fork begins with; `undefined` when it begins with a time, or is implied, or never comes. */
  firstBlockOf(fork: Fork): bigint | undefined {
    return this.activations.find((found) => found.fork === fork && found.by === "block")?.value;
  }

  /** How blobs are counted there; `undefined` before blobs. */
  blobsAt(point: ForkPoint): BlobRules | undefined {
    return this.rules.blobs.at(this.at(point), point.timestamp);
  }

  /** Do the rules of a fork hold there? */
  isActive(fork: Fork, point: ForkPoint): boolean {
    return isAtLeast(this.at(point), fork);
  }
}

/** Reads the forks of a genesis file's `config`, and what the file around it says to them; an error names the key. */
export function readForks(config: object, genesis: object = {}): ForkSchedule {
  verifyPetersburg(config);
  const activations: ForkActivation[] = [];
  for (const [key, value] of Object.entries(config)) {
    const name = key.toLowerCase();
    if (FOREIGN_KEYS.includes(name))
      throw configError(key, "is a fork of Ethereum Classic, which is not served");
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

/** The key under `config` that begins a fork, as the file spells it. */
export function findForkKey(config: object, fork: Fork): string | undefined {
  return Object.keys(config).findLast((key) => {
    const name = key.toLowerCase();
    return (FORK_BY_BLOCK_KEY.get(name) ?? FORK_BY_TIME_KEY.get(name)) === fork;
  });
}

/** Files write them in any letter case. */
function byLowerKey(kind: KeyKind): ReadonlyMap<string, Fork> {
  return new Map(keysOf(kind).map(([key, fork]) => [key.toLowerCase(), fork]));
}

function keysOf(kind: KeyKind): readonly (readonly [key: string, fork: Fork])[] {
  return FORKS.flatMap((fork) => {
    const { [kind]: keys = [] }: ForkRecord = RECORDS[fork];
    return keys.map((key) => [key, fork] as const);
  });
}

/** The fork has two names; a file that uses both may mean two blocks. */
function verifyPetersburg(config: object): void {
  const [first, second] = ["petersburgBlock", "constantinopleFixBlock"] as const;
  if (findMember(config, first) === undefined || findMember(config, second) === undefined) return;
  throw configError(first, `and ${second} are two names of one fork; expected one of them`);
}

function hasBegun({ by, value }: ForkActivation, { number, timestamp }: ForkPoint): boolean {
  return value <= (by === "block" ? number : timestamp);
}
