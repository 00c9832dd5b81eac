import type { ForkSchedule } from "../chain/forks.js";
import { DecodeError } from "../codec/codec.js";
import {
  type ConsensusEngine,
  type EngineDefinition,
  engines,
  type Mining,
} from "../consensus/engine.js";
import { EngineSchedule, type Merge, type Stage } from "../consensus/schedule.js";
import type { Clock } from "../kernel/clock.js";
import type { Contribution, Contributions } from "../kernel/contributions.js";
import { ConfigError } from "../kernel/errors.js";

/** The engine of a chain, and what it takes. */
export interface ChosenEngine {
  readonly engine: ConsensusEngine;
  /** Whether this node may make blocks: not for a chain whose file names no engine. */
  readonly canProduce: boolean;
  /** Whether it makes blocks only where the operator asks for it. */
  readonly minesOnRequest: boolean;
  /** The keys of the genesis file that were served. */
  readonly keys: readonly string[];
  /** Which plugin is used for what. */
  readonly inUse: ReadonlyMap<string, string>;
}

/** What an engine is chosen by. */
export interface EngineChoice {
  /** `config` of the genesis file, and what messages call the file. */
  readonly config: object;
  readonly origin: string;
  readonly forks: ForkSchedule;
  readonly clock: Clock;
  readonly mining: Mining;
  readonly offered: Pick<Contributions, "entries">;
}

type Entry = Contribution<EngineDefinition<unknown>>;

/** An engine with what stands under its key. */
interface Decoded {
  readonly item: EngineDefinition<unknown>;
  readonly settings: unknown;
}

/** Objects under `config` that are no engines. */
const OTHER_OBJECTS: readonly string[] = ["blobschedule", "checkpoint", "discovery", "transitions"];
const USUAL_PRECEDENCE = 100;

/** Makes the engine of a genesis file; several form a schedule. */
export function chooseEngine(choice: EngineChoice): ChosenEngine {
  const entries = choice.offered.entries(engines);
  const config = lowerKeys(choice.config);
  const named = entries.filter(
    ({ item }) => item.followsMerge !== true && (config[item.key.toLowerCase()] ?? null) !== null,
  );
  const chosen = named.length > 0 ? named : [findDefault(entries, config, choice.origin)];
  const decoded = chosen.map(({ item }) => {
    const json = config[item.key.toLowerCase()] ?? {};
    return { item, settings: decodeSettings(item, json, choice.origin) };
  });
  const stages = decoded.map((one) => createStage(one, choice));
  if (!stages.some(({ startBlock }) => startBlock === 0n)) throw noFirstEngine(choice.origin);
  const follower = entries.find(({ item }) => item.followsMerge === true);
  const merge = follower && findMerge(chosen, follower.item, choice);
  const used = merge === undefined ? chosen : [...chosen, follower];
  const [only] = stages;
  return {
    engine:
      stages.length === 1 && only !== undefined && merge === undefined
        ? only.engine
        : new EngineSchedule(stages, merge),
    canProduce: named.length > 0,
    minesOnRequest: chosen.some(({ item }) => item.minesOnRequest === true),
    keys: chosen.map(({ item }) => item.key),
    inUse: new Map(used.flatMap((entry) => (entry ? [[entry.plugin, useOf(entry)]] : []))),
  };
}

function createStage({ item, settings }: Decoded, choice: EngineChoice): Stage {
  return {
    engine: item.create({ settings, ...surroundingsOf(choice) }),
    startBlock: item.startBlock?.(settings) ?? 0n,
    precedence: item.precedence ?? USUAL_PRECEDENCE,
  };
}

function surroundingsOf({ forks, clock, mining }: EngineChoice) {
  return { forks, clock, mining };
}

function findMerge(
  chosen: readonly Entry[],
  follower: EngineDefinition<unknown>,
  choice: EngineChoice,
): Merge | undefined {
  const { terminalTotalDifficulty: totalDifficulty } = choice.forks.rules;
  const times = choice.forks.activations
    .filter(({ by }) => by === "time")
    .map(({ value }) => value);
  const isByTime = chosen.some(({ item }) => item.mergesByTime === true) && times.length > 0;
  if (totalDifficulty === undefined && !isByTime) return undefined;
  const settings = decodeSettings(follower, {}, choice.origin);
  const engine = follower.create({ settings, ...surroundingsOf(choice) });
  if (totalDifficulty !== undefined) return { engine, totalDifficulty };
  return { engine, time: times.reduce((least, time) => (time < least ? time : least)) };
}

function findDefault(
  entries: readonly Entry[],
  config: Readonly<Record<string, unknown>>,
  origin: string,
): Entry {
  const served = entries
    .filter(({ item }) => item.followsMerge !== true)
    .map(({ item }) => item.key);
  const offer = served.length === 0 ? "none" : served.join(", ");
  const unknown = Object.keys(config).filter(
    (key) => isObject(config[key]) && !OTHER_OBJECTS.includes(key),
  );
  if (unknown.length > 0) {
    throw new ConfigError("ENGINE_UNKNOWN", {
      message: `Unable to load genesis file. ${origin}: no loaded plugin serves the engine of this chain; the file names ${unknown.join(", ")}, loaded plugins serve ${offer}`,
      named: unknown,
      served,
    });
  }
  const usual = entries.find(({ item }) => item.isDefault === true);
  if (usual !== undefined) return usual;
  throw new ConfigError("ENGINE_MISSING", {
    message: `Unable to load genesis file. ${origin}: it names no engine, and no loaded plugin serves such files; loaded plugins serve ${offer}`,
    served,
  });
}

function decodeSettings(
  { key, settings }: EngineDefinition<unknown>,
  json: unknown,
  origin: string,
): unknown {
  try {
    return settings.decode(json, `config.${key}`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ConfigError("GENESIS_INVALID", {
      message: `Unable to load genesis file. ${origin}: ${error.message}`,
      key: error.path,
      cause: error,
    });
  }
}

function noFirstEngine(origin: string): ConfigError {
  return new ConfigError("ENGINE_MISSING", {
    message: `Unable to load genesis file. ${origin}: no engine begins with block 0`,
  });
}

function useOf({ item }: Entry): string {
  return `the engine ${item.key}`;
}

/** Genesis files are written by many hands: names are the same in any letter case, at every depth. */
function lowerKeys(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.toLowerCase(),
      isObject(member) ? lowerKeys(member) : member,
    ]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
