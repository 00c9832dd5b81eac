import { type Call, method, t } from "@plinth/core";
import {
  countNotCompared,
  type ExecutorStatus,
  getPrivacy,
  isMember,
  type PrivacyNode,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

const waiting = t.object({ sinceMs: t.integer(), block: t.quantity, reason: t.text });

/** `plinth_privacyStatus`: progress of private execution, and what it is waiting for. */
export const privacyStatus = method({
  summary:
    "Returns the progress of private execution, the manager it is waiting for, and the groups that are stuck.",
  result: t.object({
    head: t.quantity,
    delivered: t.quantity,
    manager: t.text,
    publicKey: t.optional(t.text),
    waiting: t.optional(waiting),
    runsAgainUntil: t.optional(t.quantity),
    unknownGroups: t.array(
      t.object({ privacyGroupId: t.text, markers: t.integer(), firstBlock: t.quantity }),
    ),
    verified: t.optional(
      t.object({
        sinceMs: t.integer(),
        different: t.integer(),
        notCompared: t.integer(),
        lost: t.integer(),
        problem: t.optional(t.text),
      }),
    ),
    groups: t.array(
      t.object({
        privacyGroupId: t.text,
        pending: t.integer(),
        held: t.optional(
          t.object({ sinceMs: t.integer(), block: t.quantity, reason: t.text, marker: t.text }),
        ),
      }),
    ),
  }),
  example: {
    params: [],
    result: {
      head: "0x10",
      delivered: "0x10",
      manager: "http://localhost:8888",
      publicKey: "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=",
      unknownGroups: [],
      verified: { sinceMs: 120_000, different: 0, notCompared: 0, lost: 0 },
      groups: [],
    },
  },
  async handle(_, { privacy, clock, client }: Call<typeof dependencies>) {
    const node = getPrivacy(privacy);
    const status = node.executor.status();
    const { last } = node.verification;
    const age = (since: number) => Math.max(0, Math.round(clock.now() - since));
    return {
      ...status,
      publicKey: node.nodeKey,
      waiting: status.waiting && { ...status.waiting, sinceMs: age(status.waiting.since) },
      unknownGroups: isTenant(node, client) ? [] : node.late.unknownGroups,
      verified: last && {
        sinceMs: age(last.at),
        different: last.groups
          .flatMap(({ members }) => members)
          .filter(({ state }) => state === "different").length,
        notCompared: countNotCompared(last),
        lost: last.lost.length,
        problem: last.problem,
      },
      groups: (await visibleGroups(status, node, client)).map(({ held, ...group }) => ({
        ...group,
        held: held && { ...held, sinceMs: age(held.since) },
      })),
    };
  },
});

/** Tenants see their own groups; the operator, who needs no token, sees all of them. */
async function visibleGroups(
  { groups }: ExecutorStatus,
  node: PrivacyNode,
  client: Call["client"],
): Promise<ExecutorStatus["groups"]> {
  if (!isTenant(node, client)) return groups;
  if (client.identity?.privacyPublicKey === undefined) return [];
  const isVisible = await Promise.all(
    groups.map(({ privacyGroupId }) =>
      isMember(node, Buffer.from(privacyGroupId, "base64"), client),
    ),
  );
  return groups.filter((_, index) => isVisible[index]);
}

function isTenant(node: PrivacyNode, { identity }: Call["client"]): boolean {
  return identity !== undefined && node.nodeKey === undefined;
}
