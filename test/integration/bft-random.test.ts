import { type Address, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { ValidatorMesh } from "../support/validator-mesh.js";

/** Stores the value of the instruction 0x44: PREVRANDAO, DIFFICULTY before. */
const READER: Address = `0x${"44".repeat(20)}`;
/** The mix hash of every BFT block. */
const MIX_HASH = "0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365";
const SLOT = toHex(new Uint8Array(32));

describe("the random value in BFT blocks", () => {
  it.each([
    ["qbft", { shanghaiTime: 0 }, BigInt(MIX_HASH)],
    ["qbft", {}, 1n],
    ["ibft2", { shanghaiTime: 0 }, BigInt(MIX_HASH)],
    ["ibft2", {}, 1n],
  ])("is the same to all validators: %s %j", async (engine, config, expected) => {
    await using mesh = await ValidatorMesh.start({
      validators: 2,
      config,
      runsCode: true,
      ...(engine === "ibft2" ? { ibft2: {}, qbft: { startBlock: 1000 } } : {}),
      alloc: () => ({ [READER]: { balance: "0", code: "0x4460005500" } }),
    });
    const raw = await signTransaction({ to: READER, gasPrice: 0n, gasLimit: 100_000n });
    await mesh.untilHeight(1);
    await mesh.node(0).rpc("eth_sendRawTransaction", [raw]);
    await mesh.untilHeight(4);

    for (const index of [0, 1]) {
      const value = await mesh.node(index).rpc("eth_getStorageAt", [READER, SLOT, "latest"]);
      expect(BigInt(value as string)).toBe(expected);
    }
    expect(mesh.head(0).hash).toBe(mesh.head(1).hash);
  });
});
