import { command, t } from "@plinth/core";
import { ask } from "./ask.js";
import { findUrl } from "./find-url.js";
import { Silence } from "./silence.js";
import { urlFlag } from "./url-flag.js";

const WELL = 0;
const WAITING = 1;
const SILENT = 2;

const waiting = t.object({ sinceMs: t.integer(), block: t.quantity, reason: t.text });
const status = t.object({
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
});

/** `privacy status`: which group waits for which manager, and since when. */
export const privacyStatus = command({
  id: "privacy status",
  summary:
    "Asks a running node what its private transactions wait for; exit code 1 when something waits, 2 when it is silent.",
  examples: ["plinth --data-path=data privacy status"],
  flags: { url: urlFlag },
  async run({ flags, io, dataPath, signal }) {
    const url = await findUrl(flags.url, dataPath);
    try {
      const found = await ask({ url, signal }, "plinth_privacyStatus", status);
      for (const line of describe(found)) await io.write(line);
      return found.waiting === undefined && found.groups.length === 0 ? WELL : WAITING;
    } catch (error) {
      if (!(error instanceof Silence)) throw error;
      await io.write(`The node at ${url} does not say: ${error.message}`);
      return SILENT;
    }
  },
});

/** What a person reads of it. */
export function describe(found: ReturnType<typeof status.decode>): readonly string[] {
  const { head, delivered, manager } = found;
  const lines = [`Private transactions are fetched up to block ${delivered} of ${head}.`];
  if (found.waiting !== undefined) {
    const { block, reason, sinceMs } = found.waiting;
    lines.push(
      `Block ${block} waits for the private transaction manager ${manager} since ${seconds(sinceMs)} s: ${reason}`,
    );
  }
  for (const { privacyGroupId, pending, held } of found.groups) {
    lines.push(`Group ${privacyGroupId}: ${pending} private transactions are to run.`);
    if (held === undefined) continue;
    const { block, marker, reason, sinceMs } = held;
    lines.push(`  ${marker} of block ${block} holds it up since ${seconds(sinceMs)} s: ${reason}`);
  }
  return lines;
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
