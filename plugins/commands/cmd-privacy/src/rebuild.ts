import { setTimeout as sleep } from "node:timers/promises";
import { type CommandIo, command, option, t } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import { nodeFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { readKey } from "./read-key.js";

const begun = t.object({
  until: t.optional(t.quantity),
  left: t.array(t.object({ privacyGroupId: t.text, reason: t.text })),
});
const status = t.object({
  delivered: t.quantity,
  runsAgainUntil: t.optional(t.quantity),
  waiting: t.optional(t.object({ block: t.quantity, reason: t.text })),
});
const LOOK_MS = 1000;
/** Every payload is looked for before anything is run. */
const TIMEOUT_MS = 10 * 60_000;
const DONE = 0;
const LEFT = 1;

/** `privacy rebuild`: runs private transactions again from their payloads. */
export const rebuild = command({
  id: "privacy rebuild",
  summary:
    "Has a running node run its private transactions again from their payloads, and shows how far it is; it goes on when this command is ended. Exit code 1 where a group is left.",
  examples: [
    "plinth --data-path=data privacy rebuild",
    "plinth --data-path=data privacy rebuild --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
  ],
  flags: {
    ...nodeFlags,
    group: option.text({ summary: "Id of one group, in base64; all groups when left out." }),
    force: option.flag({
      summary: "Runs groups again, too, of which the manager has lost something that has run.",
    }),
  },
  uses: {},
  async run({ flags, io, dataPath, signal }) {
    const { group, force } = flags;
    if (group !== undefined) readKey(group, "group");
    const link = await NodeLink.open(flags, { dataPath, signal, timeoutMs: TIMEOUT_MS });
    const params = [group ?? null, force];
    const { until, left } = await link.ask("admin_rebuildPrivacy", begun, params);
    for (const { privacyGroupId, reason } of left) {
      await io.write(
        printable(
          `Group ${privacyGroupId} is left as it is: ${reason}. Run "plinth enclave resend" first, or --force to lose them.`,
        ),
      );
    }
    if (until !== undefined) {
      await io.write(`Private transactions up to block ${until} are run again.`);
      await follow(link, { io, signal });
      await io.write(`Private transactions up to block ${until} have been fetched again.`);
    }
    return left.length === 0 ? DONE : LEFT;
  },
});

async function follow(
  link: NodeLink,
  { io, signal }: { readonly io: CommandIo; readonly signal: AbortSignal },
): Promise<void> {
  let shown = "";
  for (;;) {
    const { delivered, runsAgainUntil, waiting } = await link.ask("plinth_privacyStatus", status);
    if (runsAgainUntil === undefined) return;
    const line =
      waiting === undefined
        ? `Block ${delivered} of ${runsAgainUntil}.`
        : `Block ${waiting.block} of ${runsAgainUntil} waits: ${printable(waiting.reason)}`;
    if (line !== shown) await io.write(line);
    shown = line;
    await sleep(LOOK_MS, undefined, { signal });
  }
}
