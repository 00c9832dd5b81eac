import { FORKS, type Fork } from "@plinth/core/evm";

/** What the difficulty of a block follows from, beside its number and time. */
export interface DifficultyParent {
  readonly timestamp: bigint;
  readonly difficulty: bigint;
  readonly hasUncles: boolean;
}

/** A block whose difficulty is wanted. */
export interface DifficultyPoint {
  readonly number: bigint;
  readonly timestamp: bigint;
}

const MIN_DIFFICULTY = 131_072n;
/** A step is this share of the parent's difficulty. */
const STEP_SHARE = 2048n;
/** So many steps down at most. */
const MAX_STEPS_DOWN = -99n;
/** Frontier: a block that came within so many seconds raises the difficulty. */
const FRONTIER_SECONDS = 13n;
/** EIP-2: seconds that are worth a step. */
const HOMESTEAD_SECONDS = 10n;
/** EIP-100. */
const BYZANTIUM_SECONDS = 9n;
/** The bomb doubles after so many blocks. */
const BOMB_PERIOD = 100_000n;

/** By how many blocks each fork put the bomb off, the latest first. */
const BOMB_DELAYS: readonly (readonly [Fork, bigint])[] = [
  ["grayGlacier", 11_400_000n],
  ["arrowGlacier", 10_700_000n],
  ["london", 9_700_000n],
  ["muirGlacier", 9_000_000n],
  ["constantinople", 5_000_000n],
  ["byzantium", 3_000_000n],
];

/** The difficulty that a block must have under a fork. */
export function difficultyOf(point: DifficultyPoint, parent: DifficultyParent, fork: Fork): bigint {
  const step = parent.difficulty / STEP_SHARE;
  const adjusted = parent.difficulty + step * stepsOf(point, parent, fork);
  return atLeast(adjusted, MIN_DIFFICULTY) + bombOf(point.number, fork);
}

function stepsOf({ timestamp }: DifficultyPoint, parent: DifficultyParent, fork: Fork): bigint {
  const seconds = timestamp - parent.timestamp;
  if (!isFrom(fork, "homestead")) return seconds < FRONTIER_SECONDS ? 1n : -1n;
  if (!isFrom(fork, "byzantium")) return atLeast(1n - seconds / HOMESTEAD_SECONDS, MAX_STEPS_DOWN);
  const base = parent.hasUncles ? 2n : 1n;
  return atLeast(base - seconds / BYZANTIUM_SECONDS, MAX_STEPS_DOWN);
}

function bombOf(number: bigint, fork: Fork): bigint {
  const delay = BOMB_DELAYS.find(([from]) => isFrom(fork, from))?.[1] ?? 0n;
  const periods = atLeast(number - delay, 0n) / BOMB_PERIOD;
  return periods > 1n ? 2n ** (periods - 2n) : 0n;
}

function atLeast(value: bigint, least: bigint): bigint {
  return value > least ? value : least;
}

function isFrom(fork: Fork, other: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(other);
}
