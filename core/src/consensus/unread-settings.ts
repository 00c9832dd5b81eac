import { closestTo } from "../kernel/closest.js";
import type { GenesisFinding } from "./genesis-check.js";

/** Members of an engine's settings that it does not read: misspelt ones are warned of, others noted. */
export function findUnreadSettings(
  schema: unknown,
  json: unknown,
  path: string,
): readonly GenesisFinding[] {
  const { properties } = Object(schema);
  if (properties === undefined) return [];
  const spelling = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  return Object.keys(Object(json))
    .filter((key) => !spelling.has(key.toLowerCase()))
    .map((key) => {
      const [closest = ""] = closestTo(key.toLowerCase(), [...spelling.keys()]);
      return unread(`${path}.${key}`, spelling.get(closest));
    });
}

function unread(key: string, nearest: string | undefined): GenesisFinding {
  const problem = "is ignored: the engine has no such setting";
  if (nearest === undefined) return { severity: "note", key, problem };
  const fix = `write ${nearest} if that is meant, or leave it out`;
  return { severity: "warning", key, problem, fix };
}
