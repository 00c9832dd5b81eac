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
/** Every payload is looked up before anything is executed. */
const TIMEOUT_MS = 10 * 60_000;
const DONE = 0;
const LEFT = 1;

/** `privacy rebuild`: re-executes private transactions from their payloads. */
export const rebuild = command({
  id: "privacy rebuild",
  summary:
    "Makes a running node re-execute its private transactions from their payloads, and shows the progress; it continues when this command is ended. Exit code 1 if a group is skipped.",
  examples: [
    "plinth --data-path=data privacy rebuild",
    "plinth --data-path=data privacy rebuild --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
  ],
  flags: {
    ...nodeFlags,
    group: option.text({ summary: "Id of one group, in base64; all groups by default." }),
    force: option.flag({
      summary: "Also re-executes groups for which the manager has lost executed payloads.",
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
          `Group ${privacyGroupId} is skipped: ${reason}. Run "plinth enclave resend" first, or --force to lose them.`,
        ),
      );
    }
    if (until !== undefined) {
      await io.write(`Private transactions up to block ${until} are being re-executed.`);
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
        : `Block ${waiting.block} of ${runsAgainUntil} is waiting: ${printable(waiting.reason)}`;
    if (line !== shown) await io.write(line);
    shown = line;
    await sleep(LOOK_MS, undefined, { signal });
  }
}
