import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import plugin from "./index.js";

describe("count transactions", () => {
  it("counts none on a new chain", async () => {
    await using node = await createTestNode({ plugins: [plugin] });

    expect(await node.command("count transactions")).toMatchObject({
      code: 0,
      stdout: "0 transactions\n",
    });
  });
});
