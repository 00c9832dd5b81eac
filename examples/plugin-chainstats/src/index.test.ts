import { createTestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import chainstats from "./index.js";

describe("chainstats_gasUsed", () => {
  it("sums the gas of the requested blocks", async () => {
    await using node = await createTestNode({ plugins: [chainstats] });
    await node.mine([transfer()], [transfer(), transfer()], []);

    const result = await node.rpc("chainstats_gasUsed", ["0x2"]);

    expect(result).toEqual({ from: "0x2", to: "0x3", gasUsed: "0xa410" });
  });

  it("starts at genesis if the chain is shorter than requested", async () => {
    await using node = await createTestNode({ plugins: [chainstats] });

    expect(await node.rpc("chainstats_gasUsed")).toEqual({
      from: "0x0",
      to: "0x0",
      gasUsed: "0x0",
    });
  });

  it.each([
    ["more blocks than the operator allows", ["0x6"]],
    ["a decimal number", [6]],
    ["a quantity with a leading zero", ["0x02"]],
  ])("refuses %s", async (_, params) => {
    await using node = await createTestNode({
      plugins: [chainstats],
      options: { chainstatsMaxBlocks: 5 },
    });

    await expect(node.rpc("chainstats_gasUsed", params)).rejects.toMatchObject({ code: -32602 });
  });
});
