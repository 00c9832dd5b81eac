import type { Health } from "@plinth/core";
import type { UnknownGroupStatus } from "./markers/late-transactions.js";
import { UNKNOWN_GROUP } from "./markers/unresolved.js";
import type { PrivacyNode } from "./privacy-node.js";
import { type Verified, warningsOf } from "./verify/verification.js";

/**
 * Health of private execution: reports an unreachable manager, a stuck or unknown group, and a
 * member whose state differs.
 */
export function healthOf(
  { executor, verification, late }: Pick<PrivacyNode, "executor" | "verification" | "late">,
  now: number,
): Health {
  const { waiting, manager, groups } = executor.status();
  if (waiting !== undefined) {
    const detail = `private transactions from block ${waiting.block} on have been waiting for the manager ${manager} for ${seconds(now - waiting.since)} s: ${waiting.reason}`;
    return { status: "degraded", detail };
  }
  const held = groups.flatMap(({ privacyGroupId, held }) =>
    held === undefined ? [] : [{ privacyGroupId, ...held }],
  );
  const [first] = held;
  if (first === undefined) return healthOfGroups(late.unknownGroups, verification.last);
  const detail = `group ${first.privacyGroupId} has been waiting for ${seconds(now - first.since)} s at block ${first.block}: ${first.marker} ${first.reason}`;
  return { status: "degraded", detail };
}

function healthOfGroups(
  unknown: readonly UnknownGroupStatus[],
  verified: Verified | undefined,
): Health {
  const [detail] = [
    ...unknown.map(
      ({ privacyGroupId, firstBlock }) =>
        `${UNKNOWN_GROUP}: ${privacyGroupId}, from block ${firstBlock} on`,
    ),
    ...(verified === undefined ? [] : warningsOf(verified)),
  ];
  return detail === undefined ? { status: "up" } : { status: "degraded", detail };
}

function seconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000));
}
