import { type Call, type Codec, DecodeError, method, RpcError, t } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import {
  behindError,
  findFlexibleMembers,
  keyOf,
  type PrivacyNode,
  privacyError,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

const keys = t.withText(t.array(t.text), "Invalid address params");
const FAILURE = "Error finding flexible privacy group";

/** Validated later: Besu first reports that the method is not enabled. */
const members: Codec<unknown> = {
  decode: (json) => json,
  encode: (value) => value,
  schema: keys.schema,
  missing: { value: undefined },
};

/** `privx_findFlexiblePrivacyGroup`: the flexible groups that include these members. */
export const findFlexiblePrivacyGroup = method({
  summary: "Finds the groups that manage their members by contract and include the given keys.",
  params: { members },
  result: t.array(
    t.object({
      privacyGroupId: t.text,
      name: t.text,
      description: t.text,
      type: t.text,
      members: t.array(t.text),
    }),
  ),
  alias: "privx_findOnchainPrivacyGroup",
  alsoIn: "priv",
  example: { params: [["A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo="]], result: [] },
  async handle({ members: asked }, call: Call<typeof dependencies>) {
    const { node } = call.privacy;
    if (node?.isFlexible !== true) {
      throw RpcError.methodNotEnabled(
        call.compatibility.mode === "besu"
          ? undefined
          : "--privacy-flexible-groups-enabled is not set",
      );
    }
    const wanted = readKeys(asked, call);
    const key = keyOf(node, call.client);
    const isTenant = node.nodeKey === undefined;
    if (isTenant && !wanted.includes(key)) throw privacyError(FAILURE);
    return findGroups(node, wanted, call);
  },
});

async function findGroups(
  node: PrivacyNode,
  wanted: readonly string[],
  { client }: Call<typeof dependencies>,
) {
  const found = [];
  for (const group of await groupsOf(node, client)) {
    const members = await unlessHeld(node, group, () => findFlexibleMembers(node, group, client));
    // A group whose contract fails has no members.
    const hasMembers = members !== undefined && members.length > 0;
    if (!hasMembers || !wanted.every((key) => members.includes(key))) continue;
    const privacyGroupId = toBase64(group);
    found.push({ privacyGroupId, name: "", description: "", type: "FLEXIBLE", members });
  }
  return found;
}

/** Every group with executed or pending transactions up to the head. */
async function groupsOf(
  { executor, store, head }: PrivacyNode,
  { closed: signal }: Call<typeof dependencies>["client"],
): Promise<readonly Uint8Array[]> {
  try {
    const running = await executor.groupsToRun(head.number, { signal });
    const groups = [...(await store.groups()), ...running];
    return [...new Map(groups.map((group) => [toBase64(group), group])).values()];
  } catch (error) {
    throw behindError(error);
  }
}

/**
 * Skips stuck groups so that they do not hide others: anyone can create one that never terminates.
 */
async function unlessHeld<T>(
  { executor }: PrivacyNode,
  group: Uint8Array,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  if (executor.isHeld(group)) return undefined;
  try {
    return await ask();
  } catch (error) {
    if (executor.isHeld(group)) return undefined;
    throw error;
  }
}

function readKeys(json: unknown, { compatibility }: Pick<Call, "compatibility">) {
  try {
    return keys.decode(json, "members", compatibility.reading);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected, text } = error;
    throw RpcError.invalidParams(
      compatibility.hasBareErrors ? text : `${text}: ${path}: expected ${expected}`,
    );
  }
}
