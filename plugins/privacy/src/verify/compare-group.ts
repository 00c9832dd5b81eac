import type { BlockReader, Hash } from "@plinth/core";
import { type EnclaveClient, type MemberAnswer, toBase64 } from "@plinth/kit-enclave";
import { type Difference, findDifference } from "./difference.js";
import type { GroupStates } from "./group-states.js";

/** Blocks of this node that one question is about. */
const PAGE = 500;

/** How a member stands beside this node. */
export interface ComparedMember {
  /** Its key at its manager, in base64. */
  readonly key: string;
  readonly state: "equal" | "different" | "not compared";
  /** Why it was not compared. */
  readonly problem?: string;
  readonly difference?: Difference;
}

/** How the members of a group stand beside this node. */
export interface ComparedGroup {
  readonly privacyGroupId: string;
  /** The last block that was compared, and the last that changed the group. */
  readonly to: bigint;
  readonly lastChange: bigint;
  readonly members: readonly ComparedMember[];
}

/**
 * Compares what blocks made of a group with what the nodes of its other members say, from a block on.
 *
 * `undefined` where the manager of this node cannot ask other members.
 */
export async function compareGroup(
  group: Uint8Array,
  from: bigint,
  on: {
    readonly enclave: Pick<EnclaveClient, "compare">;
    readonly states: GroupStates;
    readonly blocks: Pick<BlockReader, "findHeader">;
  },
): Promise<ComparedGroup | undefined> {
  const { enclave, states, blocks } = on;
  const privacyGroupId = toBase64(group);
  const { number: to } = states.lastOf(group);
  const members = new Map<string, ComparedMember>();
  let lastChange = from;
  for (let first = from; first <= to; ) {
    const page = await states.page(group, { from: first, to, limit: PAGE });
    const last = page.next === undefined ? to : page.next - 1n;
    lastChange = BigInt(page.blocks.at(-1)?.number ?? lastChange);
    const question = {
      privacyGroupId,
      from: String(first),
      to: String(last),
      blockHash: hashAt(last, blocks),
    };
    const answers = await enclave.compare(question);
    if (answers === undefined) return undefined;
    for (const answer of answers) {
      const known = members.get(answer.key);
      if (known === undefined || known.state === "equal") {
        members.set(answer.key, judge(answer, page.blocks));
      }
    }
    if ([...members.values()].every(({ state }) => state !== "equal")) break;
    first = last + 1n;
  }
  return { privacyGroupId, to, lastChange, members: [...members.values()] };
}

function judge(member: MemberAnswer, own: Parameters<typeof findDifference>[0]): ComparedMember {
  const { key } = member;
  if ("problem" in member) return { key, state: "not compared", problem: member.problem };
  const { answer } = member;
  if ("problem" in answer) return { key, state: "not compared", problem: answer.problem };
  const difference = findDifference(own, answer.blocks);
  return difference === undefined
    ? { key, state: "equal" }
    : { key, state: "different", difference };
}

function hashAt(number: bigint, blocks: Pick<BlockReader, "findHeader">): Hash {
  const header = blocks.findHeader(number);
  if (header === undefined) throw new Error(`block ${number} is missing`);
  return header.hash;
}
