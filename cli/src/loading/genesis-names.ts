import { readFile } from "node:fs/promises";
import type { Configuration } from "@plinth/core/kernel";

/** The keys of a genesis file that select engines, in lower case. */
export interface GenesisNames {
  /** Under `config`, with a value. */
  readonly keys: ReadonlySet<string>;
  /** Under `config.transitions`: they may be listed for an engine that the chain does not have. */
  readonly transitions: ReadonlySet<string>;
}

/** The genesis file of a configuration: its engines, and its JSON, which is parsed once. */
export class GenesisFile {
  readonly #path: string | undefined;
  readonly #overridden: readonly string[];
  #json: unknown;

  constructor(config: Configuration) {
    const path = config.get("genesisFile");
    const overrides = config.get("overrideGenesisConfig");
    this.#path = typeof path === "string" ? path : undefined;
    this.#overridden = overrides instanceof Map ? [...overrides.keys()] : [];
  }

  /**
   * The engines of the file; `undefined` if there is none or it cannot be read, which the node
   * reports.
   */
  async names(): Promise<GenesisNames | undefined> {
    if (this.#path === undefined) return undefined;
    try {
      this.#json = JSON.parse(await readFile(this.#path, "utf8"));
    } catch {
      return undefined;
    }
    const config = memberOf(this.#json, "config");
    const named = keysOf(config).filter((key) => (Object(config)[key] ?? null) !== null);
    return {
      keys: toLowerCase([...named, ...this.#overridden]),
      transitions: toLowerCase(keysOf(memberOf(config, "transitions"))),
    };
  }

  /** The JSON of the file, returned once and not cached; `undefined` for another file. */
  take(path: string): unknown {
    const json = path === this.#path ? this.#json : undefined;
    this.#json = undefined;
    return json;
  }
}

function toLowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

function keysOf(value: unknown): readonly string[] {
  return Object.keys(Object(value));
}

/** Keys are case-insensitive in genesis files. */
function memberOf(value: unknown, name: string): unknown {
  const key = keysOf(value).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : Object(value)[key];
}
