import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcWeb3 from "../index.js";

const HASH_OF_NOTHING = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

describe("web3_clientVersion", () => {
  it("returns product, version, platform and runtime", async () => {
    await using node = await createTestNode({ plugins: [rpcWeb3] });

    expect(await node.rpc("web3_clientVersion")).toMatch(
      /^plinth\/v\d+\.\d+\.\d+[^/]*\/[^/-]+-[^/]+\/node-\d+$/,
    );
  });

  it("includes the identity of the node after the product", async () => {
    await using node = await createTestNode({
      plugins: [rpcWeb3],
      options: { identity: "validator-1" },
    });

    expect(await node.rpc("web3_clientVersion")).toMatch(/^plinth\/validator-1\/v\d/);
  });
});

describe("web3_sha3", () => {
  it.each([
    ["", HASH_OF_NOTHING],
    ["0x", HASH_OF_NOTHING],
    ["0x00", "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a"],
    [
      "0x68656c6c6f20776f726c64",
      "0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad",
    ],
    [
      "0x68656C6C6F20776F726C64",
      "0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad",
    ],
  ])('returns the hash of "%s"', async (data, hash) => {
    await using node = await createTestNode({ plugins: [rpcWeb3] });

    expect(await node.rpc("web3_sha3", [data])).toBe(hash);
  });

  it.each([
    ["an odd number of digits", "0x123"],
    ["no prefix", "68656c6c6f"],
    ["characters other than digits", "0xzz"],
    ["a number", 17],
    ["a list", ["0x00"]],
  ])("rejects %s", async (_, data) => {
    await using node = await createTestNode({ plugins: [rpcWeb3] });

    await expect(node.rpc("web3_sha3", [data])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid data params"),
    });
  });

  it.each([
    ["no parameter", [], 0],
    ["null alone", [null], 0],
    ["two parameters", ["0x00", "0x00"], 2],
  ])("rejects %s", async (_, params, count) => {
    await using node = await createTestNode({ plugins: [rpcWeb3] });

    await expect(node.rpc("web3_sha3", params)).rejects.toMatchObject({
      code: -32602,
      message: `Invalid number of params: expected 1 (data), not ${count}`,
    });
  });
});
