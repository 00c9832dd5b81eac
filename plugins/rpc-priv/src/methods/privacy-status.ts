import { type Call, method, t } from "@plinth/core";
import { getPrivacy } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

const waiting = t.object({ sinceMs: t.integer(), block: t.quantity, reason: t.text });

/** `plinth_privacyStatus`: how far private execution is, and what it waits for. */
export const privacyStatus = method({
  summary:
    "Says how far private transactions have been executed, which manager is waited for, and which groups are held up.",
  result: t.object({
    head: t.quantity,
    delivered: t.quantity,
    manager: t.text,
    waiting: t.optional(waiting),
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
      groups: [],
    },
  },
  handle(_, { privacy, clock }: Call<typeof dependencies>) {
    const status = getPrivacy(privacy).executor.status();
    const age = (since: number) => Math.max(0, Math.round(clock.now() - since));
    return {
      ...status,
      waiting: status.waiting && { ...status.waiting, sinceMs: age(status.waiting.since) },
      groups: status.groups.map(({ held, ...group }) => ({
        ...group,
        held: held && { ...held, sinceMs: age(held.since) },
      })),
    };
  },
});
