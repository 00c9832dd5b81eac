import { closestTo } from "../primitives/closest.js";
import type { GenesisFinding } from "./genesis-check.js";

/**
 * Unknown members of an engine's settings: a rule that other nodes apply would split this node from
 * them.
 */
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
  const meant = nearest === undefined ? "" : `did you mean ${nearest}? Otherwise `;
  return {
    severity: "error",
    key,
    problem: "is unknown to this node, and may be a rule for other nodes",
    fix: `${meant}remove it, or start with --Xunknown-genesis-keys=ignore`,
  };
}
