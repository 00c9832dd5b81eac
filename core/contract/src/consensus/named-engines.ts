import type { AnyEngine } from "./engine.js";

/** What `config` of a genesis file says about engines. */
export interface NamedEngines {
  /** Those that the file names, in the order of their precedence. */
  readonly served: readonly AnyEngine[];
  /** Keys of objects that may be engines, and that no plugin serves. */
  readonly unknown: readonly string[];
}

/** Objects under `config` that are no engines. */
const OTHER_OBJECTS: readonly string[] = ["blobschedule", "checkpoint", "discovery", "transitions"];
const DEFAULT_PRECEDENCE = 100;

/** Of two engines for one block, the one with the lower number has it. */
export function precedenceOf({ precedence }: Pick<AnyEngine, "precedence">): number {
  return precedence ?? DEFAULT_PRECEDENCE;
}

/** Finds the engines that `config` of a genesis file names; their keys may have any letter case. */
export function findNamedEngines(config: object, offered: readonly AnyEngine[]): NamedEngines {
  const entries = Object.entries(config).filter(([, value]) => (value ?? null) !== null);
  const named = new Set(entries.map(([key]) => key.toLowerCase()));
  const served = offered
    .filter(({ key, followsMerge }) => followsMerge !== true && named.has(key.toLowerCase()))
    .sort((a, b) => precedenceOf(a) - precedenceOf(b));
  const known = new Set([...OTHER_OBJECTS, ...served.map(({ key }) => key.toLowerCase())]);
  const unknown = entries.flatMap(([key, value]) => {
    const isObject = typeof value === "object" && !Array.isArray(value);
    return isObject && !known.has(key.toLowerCase()) ? [key] : [];
  });
  return { served, unknown };
}
