import { describe, expect, it } from "vitest";
import { FlexibleNetwork, manage, newGroup, STORE, word } from "../support/flexible-members.js";

const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

describe("a flexible group", () => {
  it("is created by its first members, who come to the same states", async () => {
    await using network = await FlexibleNetwork.open(["a", "b"]);
    const [a, b] = network.members;
    const group = newGroup();

    const created = await network.run(a, manage.add(group, a, b));
    const deployed = await network.run(a, { group, data: STORE });
    const stored = await network.run(b, {
      group,
      to: deployed.contractAddress,
      data: word(42),
    });

    expect([created, deployed, stored]).toMatchObject([
      { status: "0x1" },
      { status: "0x1" },
      { status: "0x1" },
    ]);
    const [root, other] = await network.roots(group);
    expect(root).toMatch(/^0x/);
    expect(root).not.toBe(EMPTY_ROOT);
    expect(other).toBe(root);
    const call = { to: deployed.contractAddress, data: "0x" };
    expect(await b.rpc("priv_call", group, call, "latest")).toBe(word(42));
    const [found] = await a.rpc<object[]>("privx_findFlexiblePrivacyGroup", [b.key]);
    expect(found).toEqual({
      privacyGroupId: group,
      name: "",
      description: "",
      type: "FLEXIBLE",
      members: [a.key, b.key],
    });
  });
});
