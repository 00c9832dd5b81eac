import { type CommandIo, command, option, optionKinds, PlinthError, t } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import type { AccessFlags } from "@plinth/plugin-cmd-status/api";
import { compareRoots } from "./compare-roots.js";
import { nodeFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { missingOption } from "./option-errors.js";
import { readKey } from "./read-key.js";

const EQUAL = 0;
const DIFFERENT = 1;
const NOT_COMPARED = 2;
const NOT_SAID: readonly string[] = ["NODE_SILENT", "NODE_REFUSED"];

/** A group with a long history takes longer. */
const TIMEOUT_MS = 10 * 60_000;

const state = t.object({ root: t.text, transactions: t.integer() });
const verified = t.object({
  groups: t.array(
    t.object({
      privacyGroupId: t.text,
      to: t.quantity,
      problem: t.optional(t.text),
      members: t.array(
        t.object({
          key: t.text,
          state: t.text,
          problem: t.optional(t.text),
          difference: t.optional(
            t.object({
              block: t.quantity,
              markers: t.array(t.hash),
              own: t.optional(state),
              theirs: t.optional(state),
              advice: t.text,
            }),
          ),
        }),
      ),
    }),
  ),
  lost: t.array(t.object({ block: t.quantity, marker: t.hash })),
  problem: t.optional(t.text),
});

type Verified = ReturnType<typeof verified.decode>;
type Difference = NonNullable<Verified["groups"][number]["members"][number]["difference"]>;

/** `privacy verify`: whether the members of a group have the same private state. */
export const verify = command({
  id: "privacy verify",
  summary:
    "Compares private states with those of the other members, and names the first block that differs; exit code 1 for a difference, 2 if a member was unreachable.",
  examples: [
    "plinth --data-path=data privacy verify",
    "plinth privacy verify --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --member-url=http://besu:8545",
  ],
  flags: {
    ...nodeFlags,
    group: option.text({ summary: "Id of one group, in base64; all groups by default." }),
    memberUrl: option.list({
      of: optionKinds.text(),
      summary:
        "JSON-RPC URLs of members whose managers cannot be queried, such as Besu with Tessera; PRIV must be enabled there.",
    }),
  },
  uses: {},
  async run({ flags, io, dataPath, signal }) {
    const { group, memberUrl } = flags;
    if (group !== undefined) readKey(group, "group");
    if (group === undefined && memberUrl.length > 0) throw missingOption("--group=<ID>");
    try {
      return await compareAll(flags, { io, dataPath, signal });
    } catch (error) {
      // A node that does not report a root counts as no difference.
      const isSilent = error instanceof PlinthError && NOT_SAID.includes(error.code);
      if (!isSilent) throw error;
      await io.write(error.message);
      return NOT_COMPARED;
    }
  },
});

async function compareAll(
  given: AccessFlags & {
    readonly group: string | undefined;
    readonly memberUrl: readonly string[];
  },
  {
    io,
    dataPath,
    signal,
  }: { readonly io: CommandIo; readonly dataPath: string; readonly signal: AbortSignal },
): Promise<number> {
  const { group, memberUrl } = given;
  const link = await NodeLink.open(given, { dataPath, signal, timeoutMs: TIMEOUT_MS });
  const codes: number[] = [];
  for (const other of memberUrl) {
    const member = await NodeLink.open({ url: other, ca: given.ca }, { dataPath, signal });
    const { isEqual, line } = await compareRoots(link, member, group ?? "");
    await io.write(line);
    codes.push(isEqual ? EQUAL : DIFFERENT);
  }
  if (memberUrl.length === 0) {
    const params = group === undefined ? [] : [group];
    const found = await link.ask("plinth_verifyPrivacy", verified, params);
    for (const line of describe(found)) await io.write(line);
    codes.push(codeOf(found));
  }
  return codes.includes(DIFFERENT) ? DIFFERENT : Math.max(EQUAL, ...codes);
}

function codeOf({ groups, lost, problem }: Verified): number {
  const states = groups.flatMap(({ members }) => members.map((member) => member.state));
  if (states.includes("different") || lost.length > 0) return DIFFERENT;
  const isUnknown = groups.some((group) => group.problem !== undefined);
  const isSilent = problem !== undefined || states.includes("not compared");
  return isSilent || isUnknown ? NOT_COMPARED : EQUAL;
}

/** Formats the result as text, which includes messages of other nodes. */
export function describe(found: Verified): readonly string[] {
  return linesOf(found).map(printable);
}

function linesOf({ groups, lost, problem }: Verified): readonly string[] {
  const lines = groups.flatMap(({ privacyGroupId, to, members, problem: unknown }) => [
    `Group ${privacyGroupId}, up to block ${to}:`,
    ...(unknown === undefined ? [] : [`  not compared: ${unknown}`]),
    ...(members.length + (unknown?.length ?? 0) === 0
      ? ["  it has no members elsewhere, or was deleted"]
      : []),
    ...members.flatMap(({ key, state: found, problem: why, difference }) => {
      if (difference !== undefined) return describeDifference(key, difference);
      return [`  ${key}: ${found}${why === undefined ? "" : `: ${why}`}`];
    }),
  ]);
  return [
    ...(lines.length === 0 && problem === undefined ? ["No groups to compare."] : lines),
    ...lost.map(
      ({ block, marker }) =>
        `Lost: ${marker} in block ${block} was sent to this node, but its manager does not have it. Run "plinth enclave resend", then "plinth privacy rebuild".`,
    ),
    ...(problem === undefined ? [] : [`Not compared: ${problem}`]),
  ];
}

function describeDifference(key: string, difference: Difference): readonly string[] {
  const { block, markers, own, theirs, advice } = difference;
  const say = (found: typeof own) =>
    found === undefined ? "nothing" : `${found.transactions} transactions, root ${found.root}`;
  return [
    `  ${key}: different from block ${block} on`,
    `    here:   ${say(own)}`,
    `    there:  ${say(theirs)}`,
    ...markers.map((marker) => `    marker: ${marker}`),
    `    ${advice}`,
  ];
}
