import type { EvmResult } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { isMember } from "../rpc/access.js";
import { FlexibleGroups } from "./flexible-groups.js";

const place = { group: new Uint8Array(32), header: {} as never };
const asking = { signal: new AbortController().signal, owner: {} };

describe("the members of a flexible group", () => {
  it("are unknown if this node does not have the group", async () => {
    const { groups, asked } = open({ isHere: false });

    expect(await groups.findMembers(place, asking)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each<[string, Pick<EvmResult, "outcome" | "returnValue">]>([
    ["fails", { outcome: "reverted", returnValue: new Uint8Array() }],
    ["says nothing", { outcome: "success", returnValue: new Uint8Array() }],
    ["says nonsense", { outcome: "success", returnValue: new Uint8Array(7) }],
  ])("are none if its contract %s, and no tenant may see it", async (_, answer) => {
    const { groups, asked } = open({ isHere: true, answer });
    const node = { nodeKey: undefined, flexible: groups, head: {} };
    const caller = { identity: { privacyPublicKey: "a key" }, closed: asking.signal };

    expect(await groups.findMembers(place, asking)).toEqual([]);
    expect(await isMember(node as never, place.group, caller as never)).toBe(false);
    expect(await groups.versionOf(place, asking)).toEqual(new Uint8Array(32));
    // The contract may never terminate.
    for (const { gas } of asked) expect(gas).toBe(100_000_000n);
  });
});

function open({
  isHere,
  answer = { outcome: "success", returnValue: new Uint8Array() },
}: {
  readonly isHere: boolean;
  readonly answer?: Pick<EvmResult, "outcome" | "returnValue">;
}) {
  const asked: { readonly gas: bigint | undefined }[] = [];
  const groups = new FlexibleGroups({
    has: async () => isHere,
    async call(message) {
      asked.push(message);
      return answer;
    },
  });
  return { groups, asked };
}
