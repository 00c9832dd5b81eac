import { configError } from "./config-values.js";

const KEY = "terminalTotalDifficulty";

/**
 * Parses `terminalTotalDifficulty` of a genesis file: a decimal string or a JSON number.
 *
 * JSON numbers beyond 2^53 are converted to the digits they were most likely written with.
 */
export function readTerminalDifficulty(value: unknown): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === "number" ? plainDigits(value) : value;
  if (typeof text === "string" && /^(\d+|0x[0-9a-f]+)$/i.test(text)) return BigInt(text);
  throw configError(KEY, `is ${JSON.stringify(value)}; expected a whole number`);
}

/** `5.875e+22` → `58750000000000000000000`. */
function plainDigits(value: number): string {
  const [, whole = "", rest = "", exponent] = /^(\d+)\.?(\d*)e\+(\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  return `${whole}${rest.padEnd(Number(exponent), "0")}`;
}
