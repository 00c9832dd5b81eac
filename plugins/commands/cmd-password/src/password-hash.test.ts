import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdPassword from "./index.js";

describe("password hash", () => {
  it("prints a bcrypt hash of cost 10, another one each time", async () => {
    await using node = await createTestNode({ plugins: [cmdPassword] });

    const first = await node.command("password hash", { flags: { password: "secret" } });
    const second = await node.command("password hash", { flags: { password: "secret" } });

    expect(first.stdout).toMatch(/^\$2[aby]\$10\$[./A-Za-z0-9]{53}\n$/);
    expect(second.stdout).not.toBe(first.stdout);
  });

  it.each([
    ["none at all", {}, "OPTION_MISSING"],
    ["an empty one", { password: "" }, "OPTION_INVALID"],
    ["one of more than 72 bytes", { password: "ä".repeat(37) }, "OPTION_INVALID"],
  ])("refuses %s", async (_, flags, code) => {
    await using node = await createTestNode({ plugins: [cmdPassword] });

    await expect(node.command("password hash", { flags })).rejects.toMatchObject({ code });
  });
});
