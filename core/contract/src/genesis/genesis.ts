import { ConfigError } from "../kernel/errors.js";
import { findMember, findNumber } from "../rules/config-values.js";
import { type ForkSchedule, readForks } from "../rules/forks.js";

/** The content of a genesis file. */
export interface Genesis {
  /** The file, unmodified; without `alloc` if its accounts are not kept in memory. */
  readonly json: object;
  /** The accounts that are not in `json`. */
  readonly alloc: AllocInFile | undefined;
  /** Its `config`; empty if missing. */
  readonly config: object;
  readonly forks: ForkSchedule;
  /** Replay protection of transactions; a file may have none. */
  readonly chainId: bigint | undefined;
  /** The name of the file in messages. */
  readonly origin: string;
}

/** The accounts of a large genesis file, to be read from there. */
export interface AllocInFile {
  readonly path: string;
  /** The position of the object `alloc`. */
  readonly offset: number;
  readonly length: number;
  /** The SHA-256 hash of the whole file, in hex. */
  readonly sha256: string;
  /** The time of the last change, in milliseconds. */
  readonly changedAt: number;
}

/**
 * Parses the JSON of a genesis file, whose `config` may be missing; an error names the file and the
 * key.
 */
export function parseGenesis(json: unknown, origin: string, alloc?: AllocInFile): Genesis {
  if (!isObject(json)) throw genesisError(origin, "expected a JSON object");
  const config = findMember(json, "config") ?? verifyWithoutConfig(json, origin);
  if (!isObject(config)) throw genesisError(origin, "`config` is not an object");
  const given = findMember(config, "chainId");
  const chainId = findNumber(given);
  if (given !== undefined && chainId === undefined) {
    const expectation = "expected a whole number, decimal or hex";
    throw genesisError(origin, `config.chainId is ${JSON.stringify(given)}; ${expectation}`);
  }
  return { json, alloc, config, forks: readForks(config, json), chainId, origin };
}

/** Without `config`, only the fields of block 0 identify a genesis file. */
function verifyWithoutConfig(json: object, origin: string): object {
  const [missing] = [["difficulty"], ["gasLimit", "gasTarget"]].filter((names) =>
    names.every((name) => findMember(json, name) === undefined),
  );
  if (missing === undefined) return {};
  const problem = `neither \`config\` nor \`${missing[0]}\` is present; expected a genesis file`;
  throw genesisError(origin, problem);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error for an unusable genesis file. */
export function genesisError(origin: string, detail: string, cause?: unknown): ConfigError {
  const message = `Unable to load genesis file. ${origin}: ${detail}`;
  return new ConfigError("GENESIS_INVALID", { message, cause });
}
