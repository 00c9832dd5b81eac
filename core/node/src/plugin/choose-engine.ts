import {
  type Codec,
  ConfigError,
  type ConsensusEngine,
  DecodeError,
  type EngineContext,
} from "@plinth/core";
import { withNamesOf } from "@plinth/core/codec";
import {
  type AnyEngine,
  EngineSchedule,
  type EngineStage,
  engines,
  findNamedEngines,
  findUnreadSettings,
  type GenesisFacts,
  type GenesisFinding,
  type Merge,
  precedenceOf,
} from "@plinth/core/consensus";
import type { Contribution, Contributions } from "@plinth/core/kernel";
import type { ForkSchedule } from "@plinth/core/rules";

/** The engine of a chain, and the settings of its use. */
export interface ChosenEngine {
  readonly engine: ConsensusEngine;
  /** Whether this node may produce blocks: not for a chain whose file names no engine. */
  readonly canProduce: boolean;
  /** Whether it produces blocks only if the operator requests it. */
  readonly minesOnRequest: boolean;
  /** The served keys of the genesis file. */
  readonly keys: readonly string[];
  /** Which plugin is used for what. */
  readonly inUse: ReadonlyMap<string, string>;
  /** The findings of its engines about the genesis file. */
  check(facts: GenesisFacts): readonly GenesisFinding[];
}

/** The inputs to choose an engine, and the shared context of engines. */
export interface EngineChoice
  extends Pick<EngineContext<unknown>, "clock" | "mining" | "key" | "chain"> {
  /** `config` of the genesis file, and the name of the file in messages. */
  readonly config: object;
  readonly origin: string;
  readonly forks: ForkSchedule;
  readonly offered: Pick<Contributions, "entries">;
  /** Whether unknown settings of an engine are not an error. */
  readonly ignoresUnknown?: boolean;
}

type Entry = Contribution<AnyEngine>;

/** An engine with its settings in the genesis file. */
interface Decoded
  extends Pick<EngineContext<unknown, { block: number }>, "settings" | "transitions"> {
  readonly item: AnyEngine;
  readonly startBlock: bigint;
}

/** Creates the engine of a genesis file; several form a schedule. */
export function chooseEngine(choice: EngineChoice): ChosenEngine {
  const entries = choice.offered.entries(engines);
  const config = lowerKeys(choice.config);
  const { served, unknown } = findNamedEngines(
    config,
    entries.map(({ item }) => item),
  );
  const named = entries.filter(({ item }) => served.includes(item));
  const chosen = named.length > 0 ? named : [findDefault(entries, unknown, choice.origin)];
  for (const { item } of chosen) verifyNamedOnce(item, choice);
  const decoded = chosen.map(({ item }) => decode(item, config, choice.origin));
  const stages = decoded.map((each) => createStage(each, endOf(each, decoded), choice));
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
    check: (facts) => [
      ...findUnknown(decoded, entries, config).map((found) =>
        choice.ignoresUnknown === true ? ignored(found) : found,
      ),
      ...(named.length === 0 && merge === undefined ? [withoutEngine(chosen)] : []),
      ...decoded.flatMap((each) => {
        const { item, settings, transitions } = each;
        const endBlock = endOf(each, decoded);
        return item.check?.({ settings, transitions, endBlock, facts }) ?? [];
      }),
    ],
    inUse: new Map(used.flatMap((entry) => (entry ? [[entry.plugin, useOf(entry)]] : []))),
  };
}

function decode(
  item: AnyEngine,
  config: Readonly<Record<string, unknown>>,
  origin: string,
): Decoded {
  const key = item.key.toLowerCase();
  const settings = decodeMember(item.settings, config[key] ?? {}, `config.${item.key}`, origin);
  const transitions = config.transitions ?? {};
  if (!isObject(transitions)) {
    const path = "config.transitions";
    throw invalidGenesis(origin, path, `${path}: expected an object with a list for each engine`);
  }
  const listed = lowerKeys(transitions)[key] ?? [];
  return {
    item,
    settings,
    startBlock: item.startBlock?.(settings) ?? 0n,
    transitions: decodeTransitions(item, listed, origin),
  };
}

function findUnread(
  { key, settings, transition }: AnyEngine,
  config: Readonly<Record<string, unknown>>,
): readonly GenesisFinding[] {
  const name = key.toLowerCase();
  const listed = lowerKeys(Object(config.transitions))[name] ?? [];
  const entries = Array.isArray(listed) ? listed : [];
  return [
    ...findUnreadSettings(settings.schema, config[name], `config.${key}`),
    ...entries.flatMap((entry, index) =>
      findUnreadSettings(transition?.schema, entry, `config.transitions.${key}[${index}]`),
    ),
  ];
}

/** Transitions may be listed for every loaded engine, whether the chain has it or not. */
function findUnknown(
  decoded: readonly Decoded[],
  entries: readonly Entry[],
  config: Readonly<Record<string, unknown>>,
): readonly GenesisFinding[] {
  const properties = Object.fromEntries(entries.map(({ item }) => [item.key, {}]));
  return [
    ...findUnreadSettings({ properties }, config.transitions, "config.transitions"),
    ...decoded.flatMap(({ item }) => findUnread(item, config)),
  ];
}

function ignored({ key }: GenesisFinding): GenesisFinding {
  return { severity: "warning", key, problem: "is ignored: the engine has no such setting" };
}

/** Such a chain is followed; other clients reject the file. */
function withoutEngine(chosen: readonly Entry[]): GenesisFinding {
  const keys = chosen.map(({ item }) => item.key).join(", ");
  return {
    severity: "warning",
    key: "config",
    problem: `names no engine: the node follows such a chain by the rules of ${keys} and produces no blocks, and other clients may not start`,
    fix: "add the key of the engine, with its settings",
  };
}

/** The transitions of an engine's settings, in block order. */
function decodeTransitions({ key, transition }: AnyEngine, json: unknown, origin: string) {
  const path = `config.transitions.${key}`;
  if (!Array.isArray(json)) throw invalidGenesis(origin, path, `${path}: expected a list`);
  if (transition === undefined && json.length > 0) {
    throw invalidGenesis(origin, path, `${path}: the settings of ${key} cannot change at a block`);
  }
  const entries = json.flatMap((entry, index) =>
    transition === undefined ? [] : [decodeMember(transition, entry, `${path}[${index}]`, origin)],
  );
  return entries.sort((a, b) => a.block - b.block);
}

/** With two spellings of one key it would be arbitrary which one counts. */
function verifyNamedOnce({ key }: AnyEngine, { config, origin }: EngineChoice): void {
  const same = Object.keys(config).filter((each) => each.toLowerCase() === key.toLowerCase());
  if (same.length < 2) return;
  const path = `config.${key}`;
  throw invalidGenesis(origin, path, `${path} occurs more than once: ${same.join(", ")}`);
}

/** The block at which the next engine takes over. */
function endOf({ startBlock }: Decoded, all: readonly Decoded[]): bigint | undefined {
  const later = all.flatMap((each) => (each.startBlock > startBlock ? [each.startBlock] : []));
  return later.reduce<bigint | undefined>(
    (least, each) => (least !== undefined && least < each ? least : each),
    undefined,
  );
}

function createStage(
  { item, settings, transitions, startBlock }: Decoded,
  endBlock: bigint | undefined,
  choice: EngineChoice,
): EngineStage {
  return {
    engine: item.create({ settings, transitions, endBlock, ...commonOf(choice) }),
    startBlock,
    precedence: precedenceOf(item),
  };
}

function commonOf({ forks, clock, mining, key, chain }: EngineChoice) {
  return { forks, clock, mining, key, chain };
}

function findMerge(
  chosen: readonly Entry[],
  follower: AnyEngine,
  choice: EngineChoice,
): Merge | undefined {
  const { terminalTotalDifficulty: totalDifficulty } = choice.forks.rules;
  const times = choice.forks.activations
    .filter(({ by }) => by === "time")
    .map(({ value }) => value);
  const isByTime = chosen.some(({ item }) => item.mergesByTime === true) && times.length > 0;
  if (totalDifficulty === undefined && !isByTime) return undefined;
  const settings = decodeMember(follower.settings, {}, `config.${follower.key}`, choice.origin);
  const engine = follower.create({
    settings,
    transitions: [],
    ...commonOf(choice),
  });
  if (totalDifficulty !== undefined) return { engine, totalDifficulty };
  return { engine, time: times.reduce((least, time) => (time < least ? time : least)) };
}

function findDefault(entries: readonly Entry[], unknown: readonly string[], origin: string): Entry {
  const served = entries
    .filter(({ item }) => item.followsMerge !== true)
    .map(({ item }) => item.key);
  const offer = served.length === 0 ? "none" : served.join(", ");
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

function decodeMember<T>(codec: Codec<T>, json: unknown, path: string, origin: string): T {
  try {
    return codec.decode(withNamesOf(codec.schema, json), path);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalidGenesis(origin, error.path, error.message, error);
  }
}

function invalidGenesis(origin: string, key: string, message: string, cause?: unknown) {
  const text = `Unable to load genesis file. ${origin}: ${message}`;
  return new ConfigError("GENESIS_INVALID", { message: text, key, cause });
}

function noFirstEngine(origin: string): ConfigError {
  return new ConfigError("ENGINE_MISSING", {
    message: `Unable to load genesis file. ${origin}: no engine begins with block 0`,
  });
}

function useOf({ item }: Entry): string {
  return `the engine ${item.key}`;
}

/** Keys of engines are case-insensitive in genesis files. */
function lowerKeys(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
