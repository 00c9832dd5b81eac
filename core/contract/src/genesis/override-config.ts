import { findMember } from "../rules/config-values.js";

/**
 * The JSON of a genesis file with overridden values under `config`, which has this spelling
 * afterwards.
 *
 * Keys are compared case-insensitively. Values are command-line strings: whole numbers, `true` and
 * `false` are converted.
 */
export function overrideConfig(json: unknown, changes: ReadonlyMap<string, string>): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  const isSpelled = findMember(json, "config") === Reflect.get(json, "config");
  if (changes.size === 0 && isSpelled) return json;
  const given = findMember(json, "config") ?? {};
  const others = Object.entries(json).filter(([key]) => key.toLowerCase() !== "config");
  // A non-object is rejected when the file is parsed.
  const config =
    typeof given !== "object" || Array.isArray(given) ? given : replaceMembers(given, changes);
  return { ...Object.fromEntries(others), config };
}

function replaceMembers(config: object, changes: ReadonlyMap<string, string>): object {
  const names = new Set([...changes.keys()].map((name) => name.toLowerCase()));
  const kept = Object.entries(config).filter(([key]) => !names.has(key.toLowerCase()));
  const changed = [...changes].map(([name, text]) => [name, readValue(text)]);
  return Object.fromEntries([...kept, ...changed]);
}

function readValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
