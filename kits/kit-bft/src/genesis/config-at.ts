import { type Address, ConfigError, type Header, InvariantError } from "@plinth/core";
import type { ForkRules } from "@plinth/core/consensus";
import type { BftSettings, BftTransition } from "./settings.js";

/** The settings of a block. */
export interface BftConfig {
  readonly blockPeriodSeconds: number;
  readonly blockReward: bigint;
  /** The fee recipient instead of the proposer. */
  readonly miningBeneficiary: Address | undefined;
  readonly xBlockPeriodMilliseconds: number;
  /** The empty block period, if it is longer; 0 for the block period. */
  readonly emptyBlockPeriodSeconds: number;
  /** Maximum gas of a transaction, 0 for no limit; that of the fork if `undefined`. */
  readonly perTxGasLimit: bigint | undefined;
}

/** The position of a block. */
type Point = Pick<Header, "number" | "timestamp">;

interface Stage<T> {
  /** The first block, or the first second since 1970. */
  readonly from: bigint;
  readonly by: "block" | "time";
  readonly transition: T | undefined;
  readonly config: BftConfig;
}

/** No chain has as many blocks, and every chain is younger than 2001. */
const FIRST_TIME = 1_000_000_000n;

/** The settings of each block: those of the engine, changed by its transitions. */
export class ConfigAt<T extends BftTransition> {
  readonly #forks: ForkRules;
  /** Latest first. */
  readonly #stages: readonly Stage<T>[];

  constructor(settings: BftSettings, transitions: readonly T[], forks: ForkRules) {
    this.#forks = forks;
    const stages: Stage<T>[] = [
      { from: 0n, by: "block", transition: undefined, config: configOf(settings) },
    ];
    for (const transition of transitions) {
      const before = stages.at(-1);
      if (before === undefined) break;
      if (before.from === BigInt(transition.block)) throw twice(transition.block);
      if (transition.validators?.length === 0) throw withoutValidators(transition.block);
      stages.push({
        from: BigInt(transition.block),
        by: isTime(BigInt(transition.block), forks) ? "time" : "block",
        transition,
        config: change(before.config, transition),
      });
    }
    this.#stages = stages.reverse();
  }

  /** The settings at a position of the chain. */
  at(point: Point): BftConfig {
    const stage = this.#stages.find((each) => hasBegun(each, point)) ?? this.#stages.at(-1);
    if (stage === undefined) throw new InvariantError("the settings of block 0 are missing");
    return stage.config;
  }

  /** The settings for the timers of the block on a parent. */
  after({ number, timestamp }: Point): BftConfig {
    return this.at({ number: number + 1n, timestamp });
  }

  /** The last transition up to a position that has a value for a setting. */
  find<V>(point: Point, answer: (transition: T) => V | undefined): V | undefined {
    for (const stage of this.#stages) {
      const { transition } = stage;
      const value =
        transition !== undefined && hasBegun(stage, point) ? answer(transition) : undefined;
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The transition at a block. */
  transitionAt(number: bigint): T | undefined {
    return this.#stages.find(({ from, by }) => by === "block" && from === number)?.transition;
  }

  /**
   * The position to use for rewards, beneficiaries, the gas of transactions and the rules of a
   * header; timers and validators use that of the block.
   *
   * Once a fork by time is active the last transition at a block applies, whatever its block: Besu
   * keeps block numbers and times in one ordered list, and validators must agree with it.
   */
  scheduled({ number, timestamp }: Point): Point {
    const last = this.#stages.find(({ by }) => by === "block")?.from ?? 0n;
    const isByTime = this.#forks.activations.some(
      ({ by, value }) => by === "time" && value <= timestamp,
    );
    return { number: isByTime && last > number ? last : number, timestamp };
  }
}

/** Whether the block of a transition is a time: Besu interprets it so after a fork by time. */
export function isTime(value: bigint, { activations }: ForkRules): boolean {
  return (
    value >= FIRST_TIME && activations.some((each) => each.by === "time" && each.value <= value)
  );
}

function hasBegun(
  { from, by }: Pick<Stage<unknown>, "from" | "by">,
  { number, timestamp }: Point,
): boolean {
  return from <= (by === "time" ? timestamp : number);
}

function configOf(settings: BftSettings): BftConfig {
  const { blockPeriodSeconds, blockReward, miningBeneficiary } = settings;
  const { xBlockPeriodMilliseconds, perTxGasLimit } = settings;
  return {
    blockPeriodSeconds,
    blockReward,
    miningBeneficiary: miningBeneficiary || undefined,
    xBlockPeriodMilliseconds,
    emptyBlockPeriodSeconds: emptyPeriodOf(settings) ?? 0,
    perTxGasLimit,
  };
}

function change(before: BftConfig, transition: BftTransition): BftConfig {
  const { miningBeneficiary } = transition;
  return {
    blockPeriodSeconds: transition.blockPeriodSeconds ?? before.blockPeriodSeconds,
    blockReward: transition.blockReward ?? before.blockReward,
    miningBeneficiary:
      miningBeneficiary === undefined ? before.miningBeneficiary : miningBeneficiary || undefined,
    xBlockPeriodMilliseconds:
      transition.xBlockPeriodMilliseconds ?? before.xBlockPeriodMilliseconds,
    emptyBlockPeriodSeconds: emptyPeriodOf(transition) ?? before.emptyBlockPeriodSeconds,
    perTxGasLimit: transition.perTxGasLimit ?? before.perTxGasLimit,
  };
}

/** The new name of the setting takes precedence over the old one. */
function emptyPeriodOf({
  emptyBlockPeriodSeconds,
  xEmptyBlockPeriodSeconds,
}: BftSettings | BftTransition): number | undefined {
  return emptyBlockPeriodSeconds ?? xEmptyBlockPeriodSeconds;
}

function twice(block: number): ConfigError {
  return new ConfigError("GENESIS_INVALID", {
    message: `there are two transitions at block ${block}; merge them into one`,
  });
}

function withoutValidators(block: number): ConfigError {
  return new ConfigError("GENESIS_INVALID", {
    message: `the transition at block ${block} lists no validators; expected at least one, or remove the key`,
  });
}
