import type { AnyEngine } from "./engine.js";

/** The engines in `config` of a genesis file. */
export interface NamedEngines {
  /** The engines the file names, in order of precedence. */
  readonly served: readonly AnyEngine[];
  /** Keys of objects that may be engines, but are served by no plugin. */
  readonly unknown: readonly string[];
}

/** Objects under `config` that are not engines. */
const OTHER_OBJECTS: readonly string[] = ["blobschedule", "checkpoint", "discovery", "transitions"];
const DEFAULT_PRECEDENCE = 100;

/** Of two engines for one block, the one with the lower number is used. */
export function precedenceOf({ precedence }: Pick<AnyEngine, "precedence">): number {
  return precedence ?? DEFAULT_PRECEDENCE;
}

/** Finds the engines named in `config` of a genesis file; their keys are case-insensitive. */
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
