import { type Codec, ConfigError, DecodeError, t, type ValueOf } from "@plinth/core";

/** The key of the engine under `config` of the genesis file. */
export const ENGINE_KEY = "clique";
const DEFAULT_PERIOD_SECONDS = 15;
/** Default epoch length. */
export const DEFAULT_EPOCH_LENGTH = 30_000;

/** A positive integer, as a JSON number or as decimal digits. */
const seconds: Codec<number> = {
  decode(json, path = "") {
    const value = typeof json === "string" && /^\d{1,15}$/.test(json) ? Number(json) : json;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
    throw new DecodeError(path, "seconds, an integer of at least 1");
  },
  encode: (value) => value,
  schema: { type: "integer", minimum: 1 },
};

/** `config.clique` of the genesis file, in the spelling of Besu or of geth. */
export const settings = t.object({
  blockPeriodSeconds: t.optional(seconds),
  epochLength: t.optional(t.integer({ min: 1 })),
  createEmptyBlocks: t.optional(t.boolean),
  /** Geth: 0 produces a block only if there are transactions. */
  period: t.optional(t.integer({ min: 0 })),
  /** Geth: 0 is the default length. */
  epoch: t.optional(t.integer({ min: 0 })),
});

/** An entry of `config.transitions.clique`; omitted settings are unchanged. */
export const transition = t.object({
  block: t.integer({ min: 1 }),
  blockPeriodSeconds: t.optional(seconds),
  createEmptyBlocks: t.optional(t.boolean),
});

/** Decodes the settings. */
export type CliqueSettings = ValueOf<typeof settings>;
/** Decodes a transition. */
export type CliqueTransition = ValueOf<typeof transition>;

/** The settings in force at a block. */
export interface BlockSettings {
  /** Minimum number of seconds after the parent. */
  readonly periodSeconds: bigint;
  /** Whether signers produce blocks without transactions. */
  readonly makesEmpty: boolean;
  /** Whether a block without transactions is valid. */
  readonly takesEmpty: boolean;
}

/** The settings of a chain by block. */
export class CliqueSchedule {
  /** Epoch length: every so many blocks the votes are reset and the block lists the signers. */
  readonly epochLength: bigint;
  readonly #stages: readonly { readonly from: bigint; readonly settings: BlockSettings }[];

  constructor(given: CliqueSettings, transitions: readonly CliqueTransition[]) {
    this.epochLength = BigInt(epochLengthOf(given));
    let last = { from: 0n, settings: firstSettings(given) };
    const stages = [last];
    for (const transition of transitions) {
      const from = BigInt(transition.block);
      if (from === last.from) {
        throw invalid("config.transitions.clique", `names block ${transition.block} twice`);
      }
      last = { from, settings: change(last.settings, transition) };
      stages.push(last);
    }
    this.#stages = stages;
  }

  /** The settings in force at a block number. */
  at(number: bigint): BlockSettings {
    const stage = this.#stages.findLast(({ from }) => from <= number);
    if (stage === undefined) throw new RangeError(`no settings for block ${number}`);
    return stage.settings;
  }

  /** Whether the block of a number lists the signers. */
  isEpoch(number: bigint): boolean {
    return number % this.epochLength === 0n;
  }
}

function firstSettings(given: CliqueSettings): BlockSettings {
  const period = periodOf(given);
  const takesEmpty = given.createEmptyBlocks ?? true;
  return { periodSeconds: BigInt(period), makesEmpty: takesEmpty && period > 0, takesEmpty };
}

/** Settings that a transition omits are unchanged. */
function change(
  { periodSeconds, makesEmpty, takesEmpty }: BlockSettings,
  { blockPeriodSeconds, createEmptyBlocks }: CliqueTransition,
): BlockSettings {
  return {
    periodSeconds: blockPeriodSeconds === undefined ? periodSeconds : BigInt(blockPeriodSeconds),
    makesEmpty: createEmptyBlocks ?? makesEmpty,
    takesEmpty: createEmptyBlocks ?? takesEmpty,
  };
}

function periodOf({ blockPeriodSeconds, period }: CliqueSettings): number {
  verifySame("blockperiodseconds", blockPeriodSeconds, "period", period);
  return blockPeriodSeconds ?? period ?? DEFAULT_PERIOD_SECONDS;
}

function epochLengthOf({ epochLength, epoch }: CliqueSettings): number {
  const named = epoch === 0 ? DEFAULT_EPOCH_LENGTH : epoch;
  verifySame("epochlength", epochLength, "epoch", named);
  return epochLength ?? named ?? DEFAULT_EPOCH_LENGTH;
}

/** A file for a mixed network has both spellings; with two values its nodes would diverge. */
function verifySame(name: string, value: number | undefined, other: string, same?: number): void {
  if (value === undefined || same === undefined || value === same) return;
  throw invalid("config.clique", `has ${name} ${value} and ${other} ${same}; expected one value`);
}

function invalid(key: string, problem: string): ConfigError {
  return new ConfigError("GENESIS_INVALID", { message: `${key} ${problem}`, key });
}
