import type { Configuration } from "@plinth/core/kernel";
import { type GenesisContent, readGenesisFile } from "@plinth/node";

/** The keys of a genesis file that select engines, in lower case. */
export interface GenesisNames {
  /** Under `config`, with a value. */
  readonly keys: ReadonlySet<string>;
  /** Under `config.transitions`: they may be listed for an engine that the chain does not have. */
  readonly transitions: ReadonlySet<string>;
}

/** The genesis file of a configuration: its engines, and its content, which is read once. */
export class GenesisFile {
  readonly #path: string | undefined;
  readonly #dataPath: string | undefined;
  readonly #overridden: readonly string[];
  #content: GenesisContent | undefined;

  constructor(config: Configuration) {
    const path = config.get("genesisFile");
    const dataPath = config.get("dataPath");
    const overrides = config.get("overrideGenesisConfig");
    this.#path = typeof path === "string" ? path : undefined;
    this.#dataPath = typeof dataPath === "string" ? dataPath : undefined;
    this.#overridden = overrides instanceof Map ? [...overrides.keys()] : [];
  }

  /**
   * The engines of the file; `undefined` if there is none or it cannot be read, which the node
   * reports.
   */
  async names(): Promise<GenesisNames | undefined> {
    if (this.#path === undefined) return undefined;
    try {
      this.#content = await readGenesisFile(this.#path, { dataPath: this.#dataPath });
    } catch {
      return undefined;
    }
    const config = memberOf(this.#content.json, "config");
    const named = keysOf(config).filter((key) => (Object(config)[key] ?? null) !== null);
    return {
      keys: toLowerCase([...named, ...this.#overridden]),
      transitions: toLowerCase(keysOf(memberOf(config, "transitions"))),
    };
  }

  /** The content of the file, returned once and not cached; `undefined` for another file. */
  take(path: string): GenesisContent | undefined {
    const content = path === this.#path ? this.#content : undefined;
    this.#content = undefined;
    return content;
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
