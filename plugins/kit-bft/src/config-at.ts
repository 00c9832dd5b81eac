import {
  type Address,
  ConfigError,
  type ForkRules,
  type Header,
  InvariantError,
} from "@plinth/core";
import type { BftSettings, BftTransition } from "./settings.js";

/** What holds for a block. */
export interface BftConfig {
  readonly blockPeriodSeconds: number;
  readonly blockReward: bigint;
  /** Who is paid in place of the proposer. */
  readonly miningBeneficiary: Address | undefined;
  readonly xBlockPeriodMilliseconds: number;
  /** How long after its parent an empty block is due, where that is later; 0 for the block period. */
  readonly emptyBlockPeriodSeconds: number;
  /** The most gas of a transaction, 0 for any; that of the fork when `undefined`. */
  readonly perTxGasLimit: bigint | undefined;
}

interface Stage<T> {
  readonly block: bigint;
  readonly transition: T | undefined;
  readonly config: BftConfig;
}

/** What the genesis file says about each block: the settings of the engine, changed by its transitions. */
export class ConfigAt<T extends BftTransition> {
  readonly #forks: ForkRules;
  /** The last comes first. */
  readonly #stages: readonly Stage<T>[];

  constructor(settings: BftSettings, transitions: readonly T[], forks: ForkRules) {
    this.#forks = forks;
    const stages: Stage<T>[] = [{ block: 0n, transition: undefined, config: configOf(settings) }];
    for (const transition of transitions) {
      const before = stages.at(-1);
      if (before === undefined) break;
      if (before.block === BigInt(transition.block)) throw twice(transition.block);
      if (transition.validators?.length === 0) throw withoutValidators(transition.block);
      stages.push({
        block: BigInt(transition.block),
        transition,
        config: change(before.config, transition),
      });
    }
    this.#stages = stages.reverse();
  }

  /** What holds at a number. */
  at(number: bigint): BftConfig {
    const stage = this.#stages.find(({ block }) => block <= number) ?? this.#stages.at(-1);
    if (stage === undefined) throw new InvariantError("the settings of block 0 are missing");
    return stage.config;
  }

  /** The last transition up to a block that has an answer to a question. */
  find<V>(number: bigint, answer: (transition: T) => V | undefined): V | undefined {
    for (const { block, transition } of this.#stages) {
      const value = block <= number && transition !== undefined ? answer(transition) : undefined;
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The transition that comes with a block. */
  transitionAt(number: bigint): T | undefined {
    return this.#stages.find(({ block }) => block === number)?.transition;
  }

  /**
   * The number to ask with about rewards, beneficiaries, the gas of transactions and the rules of a header; timers and validators go by that of
   * the block.
   *
   * Once a fork at a time is active the last transition holds, whatever its block: Besu keeps block numbers and times
   * in one ordered list, and validators must agree with it.
   */
  scheduled({ number, timestamp }: Pick<Header, "number" | "timestamp">): bigint {
    const last = this.#stages[0]?.block ?? 0n;
    const isByTime = this.#forks.activations.some(
      ({ by, value }) => by === "time" && value <= timestamp,
    );
    return isByTime && last > number ? last : number;
  }
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

/** The new name of the setting wins over the old one. */
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
    message: `the transition at block ${block} lists no validators; expected at least one, or leave the key out`,
  });
}
