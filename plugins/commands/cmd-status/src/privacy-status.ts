import { command, option, t } from "@plinth/core";
import { accessFlags } from "./access-flags.js";
import { ask } from "./ask.js";
import { findAccess } from "./find-access.js";
import { NodeUnreachable } from "./node-unreachable.js";
import { toJson } from "./to-json.js";

const WELL = 0;
const WAITING = 1;
const SILENT = 2;

const waiting = t.object({ sinceMs: t.integer(), block: t.quantity, reason: t.text });
const status = t.object({
  head: t.quantity,
  delivered: t.quantity,
  manager: t.text,
  waiting: t.optional(waiting),
  runsAgainUntil: t.optional(t.quantity),
  // Omitted by nodes of earlier versions.
  unknownGroups: t.optional(
    t.array(t.object({ privacyGroupId: t.text, markers: t.integer(), firstBlock: t.quantity })),
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
});

/** `privacy status`: which group waits for which manager, and since when. */
export const privacyStatus = command({
  id: "privacy status",
  summary:
    "Shows what the private transactions of a running node are waiting for; exit code 1 if anything is waiting, 2 if the node does not respond.",
  examples: ["plinth --data-path=data privacy status", "plinth privacy status --json"],
  flags: {
    ...accessFlags,
    json: option.flag({ summary: "Prints one JSON object instead of text." }),
  },
  uses: {},
  async run({ flags, io, dataPath, signal }) {
    const access = await findAccess(flags, dataPath);
    const { url } = access;
    try {
      const found = await ask({ ...access, signal }, "plinth_privacyStatus", status);
      await io.write(flags.json ? toJson({ url, ...found }) : describe(found).join("\n"));
      return isWell(found) ? WELL : WAITING;
    } catch (error) {
      if (!(error instanceof NodeUnreachable)) throw error;
      const { message } = error;
      const text = `The node at ${url} does not respond: ${message}`;
      await io.write(flags.json ? toJson({ url, error: message }) : text);
      return SILENT;
    }
  },
});

type Found = ReturnType<typeof status.decode>;

function isWell({ waiting, groups, unknownGroups = [], verified }: Found): boolean {
  const isSame = verified === undefined || verified.different + verified.lost === 0;
  return waiting === undefined && groups.length + unknownGroups.length === 0 && isSame;
}

/** Formats the status as text. */
export function describe(found: Found): readonly string[] {
  const { head, delivered, manager } = found;
  const again =
    found.runsAgainUntil === undefined
      ? ""
      : `; those up to block ${found.runsAgainUntil} are being re-executed`;
  const lines = [`Private transactions are fetched up to block ${delivered} of ${head}${again}.`];
  if (found.waiting !== undefined) {
    const { block, reason, sinceMs } = found.waiting;
    lines.push(
      `Block ${block} has been waiting for the private transaction manager ${manager} for ${seconds(sinceMs)} s: ${reason}`,
    );
  }
  for (const { privacyGroupId, pending, held } of found.groups) {
    lines.push(`Group ${privacyGroupId}: ${pending} private transactions are pending.`);
    if (held === undefined) continue;
    const { block, marker, reason, sinceMs } = held;
    lines.push(
      `  ${marker} of block ${block} has been blocking it for ${seconds(sinceMs)} s: ${reason}`,
    );
  }
  for (const { privacyGroupId, markers, firstBlock } of found.unknownGroups ?? []) {
    lines.push(
      `Group ${privacyGroupId}: unknown to its manager; ${markers} private transactions from block ${firstBlock} on have not run.`,
    );
  }
  return [...lines, ...describeVerified(found.verified)];
}

function describeVerified(verified: Found["verified"]): readonly string[] {
  if (verified === undefined) return [];
  const { sinceMs, different, notCompared, lost, problem } = verified;
  const when = `${seconds(sinceMs)} s ago`;
  if (problem !== undefined) return [`Not compared with the other members ${when}: ${problem}`];
  const rest = notCompared === 0 ? "" : `, ${notCompared} could not be compared`;
  if (different + lost === 0) {
    return [`Compared with the other members ${when}: no difference${rest}.`];
  }
  return [
    `Compared with the other members ${when}: ${different} differ, ${lost} payloads are lost${rest}; "plinth privacy verify" shows where.`,
  ];
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
