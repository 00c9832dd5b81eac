import { setTimeout as sleep } from "node:timers/promises";
import { type CommandIo, command, option, t } from "@plinth/core";
import { nodeFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { readKey } from "./read-key.js";

const begun = t.object({ until: t.quantity });
const status = t.object({
  delivered: t.quantity,
  runsAgainUntil: t.optional(t.quantity),
  waiting: t.optional(t.object({ block: t.quantity, reason: t.text })),
});
const LOOK_MS = 1000;

/** `privacy rebuild`: runs private transactions again from their payloads. */
export const rebuild = command({
  id: "privacy rebuild",
  summary:
    "Has a running node run its private transactions again from their payloads, and shows how far it is; it goes on when this command is ended.",
  examples: [
    "plinth --data-path=data privacy rebuild",
    "plinth --data-path=data privacy rebuild --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
  ],
  flags: {
    ...nodeFlags,
    group: option.text({ summary: "Id of one group, in base64; all groups when left out." }),
  },
  async run({ flags: { url, group }, io, dataPath, signal }) {
    if (group !== undefined) readKey(group, "group");
    const link = await NodeLink.open(url, { dataPath, signal });
    const params = group === undefined ? [] : [group];
    const { until } = await link.ask("admin_rebuildPrivacy", begun, params);
    await io.write(
      `Private transactions ${group === undefined ? "of all groups" : `of group ${group}`} up to block ${until} are run again.`,
    );
    await follow(link, { io, signal });
    await io.write(`Private transactions up to block ${until} have been fetched again.`);
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
        : `Block ${waiting.block} of ${runsAgainUntil} waits: ${waiting.reason}`;
    if (line !== shown) await io.write(line);
    shown = line;
    await sleep(LOOK_MS, undefined, { signal });
  }
}
