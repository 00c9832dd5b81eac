import type { NodeStatus } from "./node-status.js";
import { isLate } from "./recent-blocks.js";

const FINE = ["up", "ready"];

/** The problems of a node, one line each. */
export function findProblems(
  { head, headAge, health, outside }: NodeStatus,
  maxHeadAge: number | undefined,
): readonly string[] {
  const period = maxHeadAge === undefined ? outside?.period : undefined;
  const failing = health.checks
    .filter(({ status }) => !FINE.includes(status))
    .map(({ plugin, name, status, detail }) => {
      return `${plugin} is ${status}: ${detail === undefined ? name : `${name}: ${detail}`}`;
    });
  const isOld = maxHeadAge !== undefined && headAge > maxHeadAge;
  return [
    ...(isOld ? [`block ${head.number} is ${headAge} s old, more than ${maxHeadAge} s`] : []),
    ...(period !== undefined && isLate(headAge, period)
      ? [
          `block ${head.number} is ${headAge} s old; the previous blocks were at most ${period} s apart`,
        ]
      : []),
    ...failing,
    ...(failing.length === 0 && !FINE.includes(health.status) ? [`it is ${health.status}`] : []),
  ];
}

/** What is not visible if the node does not offer namespace `plinth`. */
export function findUnseen({ inside, outside }: NodeStatus): readonly string[] {
  if (inside !== undefined) return [];
  return [
    ...(outside?.period === undefined ? ["whether the head block is late"] : []),
    ...(outside?.peers === undefined ? ["peers"] : []),
    ...(outside?.sync === undefined ? ["synchronization"] : []),
    "transaction pool",
    "plugins and the health that each reports",
  ];
}
