import { ConfigError } from "../kernel/errors.js";
import { withoutPrefix } from "../primitives/hex.js";

/** Finds a member in any case, the last of several; null counts as absent. */
export function findMember(json: unknown, name: string): unknown {
  if (typeof json !== "object" || json === null) return undefined;
  const key = Object.keys(json).findLast((key) => key.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : (Reflect.get(json, key) ?? undefined);
}

/** A whole number, decimal or hex; `undefined` if the value is invalid. */
export function findNumber(value: unknown): bigint | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && /^(\d+|0x[0-9a-f]+)$/i.test(value)) return BigInt(value);
  return undefined;
}

/**
 * A number as in older files: hex, decimal, or octal after a zero; `undefined` if it is invalid.
 */
export function findLooseNumber(value: unknown): bigint | undefined {
  if (typeof value === "string" && /^0[0-7]+$/.test(value)) return BigInt(`0o${value}`);
  return findNumber(value);
}

/** A number in hex, with or without `0x`; `undefined` if it is invalid. */
export function findHexNumber(value: unknown): bigint | undefined {
  const digits = typeof value === "number" ? String(value) : value;
  if (typeof digits !== "string" || !/^(0x)?[0-9a-f]*$/i.test(digits)) return undefined;
  return BigInt(`0x0${withoutPrefix(digits)}`);
}

/** Parses a whole number under `config`; an error names the key. */
export function readConfigNumber(key: string, value: unknown): bigint {
  const number = findNumber(value);
  if (number !== undefined) return number;
  throw configError(key, `is ${JSON.stringify(value)}; expected a whole number, decimal or hex`);
}

/** The error for an invalid key under `config`. */
export function configError(key: string, problem: string): ConfigError {
  return new ConfigError("GENESIS_INVALID", {
    message: `Unable to load genesis file. config.${key} ${problem}`,
    key,
  });
}
