import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { findMisspeltForks } from "@plinth/core/rules";

/** Keys that are probably misspelled forks, and duplicate keys. */
export function checkForkNames({ config }: GenesisFacts): readonly GenesisFinding[] {
  const misspelt = findMisspeltForks(config).map(
    ({ key, nearest }): GenesisFinding => ({
      severity: "warning",
      key: `config.${key}`,
      problem: "is ignored: no fork has this name",
      fix: `did you mean ${nearest}? Otherwise remove it`,
    }),
  );
  return [...misspelt, ...findRepeated(config, "config")];
}

/** Also in nested objects: the settings of an engine, and their transitions. */
function findRepeated(json: unknown, path: string): readonly GenesisFinding[] {
  if (Array.isArray(json)) {
    return json.flatMap((each, index) => findRepeated(each, `${path}[${index}]`));
  }
  if (typeof json !== "object" || json === null) return [];
  const repeated = [...groupKeys(json).values()]
    .filter((keys) => keys.length > 1)
    .map((keys) => ({
      severity: "error" as const,
      key: `${path}.${keys[0]}`,
      problem: `occurs more than once: ${keys.join(", ")}; keys are case-insensitive`,
      fix: "keep one of them",
    }));
  const inside = Object.entries(json).flatMap(([key, each]) =>
    findRepeated(each, `${path}.${key}`),
  );
  return [...repeated, ...inside];
}

function groupKeys(config: object): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const key of Object.keys(config)) {
    const name = key.toLowerCase();
    groups.set(name, [...(groups.get(name) ?? []), key]);
  }
  return groups;
}
