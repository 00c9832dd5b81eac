import { closestTo } from "../primitives/closest.js";
import type { GenesisFinding } from "./genesis-check.js";

/** Members of an engine's settings that it does not know: a rule that other nodes follow would part this node from them. */
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
  const meant = nearest === undefined ? "" : `write ${nearest} if that is meant, or `;
  return {
    severity: "error",
    key,
    problem: "is not known here, and may be a rule to other nodes",
    fix: `${meant}leave it out, or start with --Xunknown-genesis-keys=ignore`,
  };
}
