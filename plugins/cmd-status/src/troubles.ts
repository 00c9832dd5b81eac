import type { NodeStatus } from "./node-status.js";

const FINE = ["up", "ready"];

/** What is wrong with a node, a line each. */
export function findTroubles(
  { head, headAge, health }: NodeStatus,
  maxHeadAge: number | undefined,
): readonly string[] {
  const failing = health.checks
    .filter(({ status }) => !FINE.includes(status))
    .map(({ plugin, name, status, detail }) => {
      return `${plugin} is ${status}: ${detail === undefined ? name : `${name}: ${detail}`}`;
    });
  const isOld = maxHeadAge !== undefined && headAge > maxHeadAge;
  return [
    ...(isOld ? [`block ${head.number} is ${headAge} s old, more than ${maxHeadAge} s`] : []),
    ...failing,
    ...(failing.length === 0 && !FINE.includes(health.status) ? [`it is ${health.status}`] : []),
  ];
}
