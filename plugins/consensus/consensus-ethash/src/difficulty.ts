import { FORKS, type Fork } from "@plinth/core/evm";

/** Inputs of the difficulty of a block, besides its number and time. */
export interface DifficultyParent {
  readonly timestamp: bigint;
  readonly difficulty: bigint;
  readonly hasUncles: boolean;
}

/** A block whose difficulty is computed. */
export interface DifficultyPoint {
  readonly number: bigint;
  readonly timestamp: bigint;
}

const MIN_DIFFICULTY = 131_072n;
/** A step is this share of the parent's difficulty. */
const STEP_SHARE = 2048n;
/** Maximum number of steps down. */
const MAX_STEPS_DOWN = -99n;
/** Frontier: a block within this many seconds raises the difficulty. */
const FRONTIER_SECONDS = 13n;
/** EIP-2: number of seconds per step. */
const HOMESTEAD_SECONDS = 10n;
/** EIP-100. */
const BYZANTIUM_SECONDS = 9n;
/** The difficulty bomb doubles after this many blocks. */
const BOMB_PERIOD = 100_000n;

/** Number of blocks by which each fork delayed the bomb, the latest first. */
const BOMB_DELAYS: readonly (readonly [Fork, bigint])[] = [
  ["grayGlacier", 11_400_000n],
  ["arrowGlacier", 10_700_000n],
  ["london", 9_700_000n],
  ["muirGlacier", 9_000_000n],
  ["constantinople", 5_000_000n],
  ["byzantium", 3_000_000n],
];

/** The required difficulty of a block under a fork. */
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
