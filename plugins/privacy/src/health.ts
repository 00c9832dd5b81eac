import type { Health } from "@plinth/core";
import type { ExecutorStatus } from "./executor.js";
import { type Verified, warningsOf } from "./verify/verification.js";

/** How private execution is: a manager that is away, a group that is held up, or a member that differs, is named. */
export function healthOf(
  { waiting, manager, groups }: ExecutorStatus,
  verified: Verified | undefined,
  now: number,
): Health {
  if (waiting !== undefined) {
    const detail = `private transactions from block ${waiting.block} on wait for the manager ${manager} since ${seconds(now - waiting.since)} s: ${waiting.reason}`;
    return { status: "degraded", detail };
  }
  const held = groups.flatMap(({ privacyGroupId, held }) =>
    held === undefined ? [] : [{ privacyGroupId, ...held }],
  );
  const [first] = held;
  if (first === undefined) return healthOfStates(verified);
  const detail = `group ${first.privacyGroupId} waits since ${seconds(now - first.since)} s at block ${first.block}: ${first.marker} ${first.reason}`;
  return { status: "degraded", detail };
}

function healthOfStates(verified: Verified | undefined): Health {
  const [detail] = verified === undefined ? [] : warningsOf(verified);
  return detail === undefined ? { status: "up" } : { status: "degraded", detail };
}

function seconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000));
}
