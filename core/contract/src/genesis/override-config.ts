import { findMember } from "../rules/config-values.js";

/**
 * The JSON of a genesis file with other values under `config`, which has this spelling afterwards.
 *
 * Keys are compared in any letter case. Values are texts of a command line: whole numbers, `true` and `false` become what they look like.
 */
export function overrideConfig(json: unknown, changes: ReadonlyMap<string, string>): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  const isSpelled = findMember(json, "config") === Reflect.get(json, "config");
  if (changes.size === 0 && isSpelled) return json;
  const config = Object.entries(Object(findMember(json, "config")));
  const names = new Set([...changes.keys()].map((name) => name.toLowerCase()));
  const kept = config.filter(([key]) => !names.has(key.toLowerCase()));
  const changed = [...changes].map(([name, text]) => [name, readValue(text)]);
  const others = Object.entries(json).filter(([key]) => key.toLowerCase() !== "config");
  return { ...Object.fromEntries(others), config: Object.fromEntries([...kept, ...changed]) };
}

function readValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
