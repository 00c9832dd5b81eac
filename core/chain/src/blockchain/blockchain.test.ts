import { createTestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";

describe("a block of the chain", () => {
  it("is found by its number or its hash, like its header", async () => {
    await using node = await createTestNode();
    const [header] = await node.mine([transfer()]);
    const { blocks } = node.node;

    const byNumber = blocks.findBlock(1n);

    expect(byNumber?.header.hash).toBe(header?.hash);
    expect(byNumber?.body.transactions).toHaveLength(1);
    expect(blocks.findBlock(header?.hash ?? "0x")).toEqual(byNumber);
  });

  it("does not exist above the head", async () => {
    await using node = await createTestNode();

    expect(node.node.blocks.findBlock(1n)).toBeUndefined();
    expect(node.node.blocks.findBlock(`0x${"12".repeat(32)}`)).toBeUndefined();
  });
});
