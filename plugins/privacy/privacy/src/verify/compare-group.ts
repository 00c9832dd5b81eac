import type { BlockReader, Hash } from "@plinth/core";
import {
  type EnclaveClient,
  type MemberAnswer,
  type StateQuestion,
  toBase64,
} from "@plinth/kit-enclave";
import { type Difference, findDifference } from "./difference.js";
import type { GroupStates } from "./group-states.js";

/** Maximum number of blocks of this node per query. */
const PAGE = 500;

type Page = Awaited<ReturnType<GroupStates["page"]>>;

/** How a member compares with this node. */
export interface ComparedMember {
  /** Its key at its manager, in base64. */
  readonly key: string;
  readonly state: "equal" | "different" | "not compared";
  /** Why it was not compared. */
  readonly problem?: string;
  readonly difference?: Difference;
}

/** How the members of a group compare with this node. */
export interface ComparedGroup {
  readonly privacyGroupId: string;
  /** Last compared block. */
  readonly to: bigint;
  readonly members: readonly ComparedMember[];
}

/**
 * Compares the effects of blocks on a group with those reported by the nodes of its other members, from a block on.
 *
 * Returns `undefined` if the manager of this node cannot query other members.
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
  /** Whether the compared page still matches the records of this node. */
  const isStill = async (own: Page, { from: first, to: last, blockHash }: StateQuestion) => {
    const range = { from: BigInt(first), to: BigInt(last), limit: PAGE };
    const again = await states.page(group, range);
    const hasRun = states.lastOf(group).number >= range.to;
    const isSame = findDifference(own.blocks, again.blocks) === undefined;
    return hasRun && isSame && blocks.findHeader(range.to)?.hash === blockHash;
  };
  const privacyGroupId = toBase64(group);
  const { number: to } = states.lastOf(group);
  const members = new Map<string, ComparedMember>();
  for (let first = from; first <= to; ) {
    const page = await states.page(group, { from: first, to, limit: PAGE });
    const last = page.next === undefined ? to : page.next - 1n;
    const question = {
      privacyGroupId,
      from: String(first),
      to: String(last),
      blockHash: hashAt(last, blocks),
    };
    const answers = await enclave.compare(question);
    if (answers === undefined) return undefined;
    const isOld = !(await isStill(page, question));
    for (const answer of answers) {
      const known = members.get(answer.key);
      if (known !== undefined && known.state !== "equal") continue;
      members.set(answer.key, isOld ? notCompared(answer.key) : judge(answer, page.blocks));
    }
    if ([...members.values()].every(({ state }) => state !== "equal")) break;
    first = last + 1n;
  }
  return { privacyGroupId, to, members: [...members.values()] };
}

function notCompared(key: string): ComparedMember {
  const problem = "private transactions of this node were re-executed meanwhile";
  return { key, state: "not compared", problem };
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
