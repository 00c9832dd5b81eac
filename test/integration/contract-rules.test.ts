import type { Hex } from "@plinth/core";
import permissioningContract from "@plinth/plugin-permissioning-contract";
import { ALICE, createTestNode, DEV_GENESIS, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const RULES = `0x${"88".repeat(20)}`;
const YES = "0x600160005260206000f3";

function start(code: Hex | undefined, genesis: object = {}, options: object = {}) {
  return createTestNode({
    plugins: [permissioningContract],
    options: {
      permissionsAccountsContractEnabled: true,
      permissionsAccountsContractAddress: RULES,
      ...options,
    },
    genesis: {
      ...DEV_GENESIS,
      ...genesis,
      alloc: { ...DEV_GENESIS.alloc, ...(code && { [RULES]: { balance: "0x0", code } }) },
    },
  });
}

describe("a contract that decides about transactions", () => {
  it.each<[string, Hex | undefined, number]>([
    ["that allows", YES, 1],
    ["that does not exist", undefined, 1],
    ["that refuses", "0x600060005260206000f3", 0],
    ["that reverts", "0x60006000fd", 0],
    ["that loops", "0x5b600056", 0],
    ["that returns too much", "0x600160005260406000f3", 0],
    ["that returns two", "0x600260005260206000f3", 0],
  ])(
    "%s",
    async (_, code, count) => {
      await using node = await start(code);
      const raw = await signTransaction({ to: ALICE.address });
      await node.rpc("eth_sendRawTransaction", [raw]);
      await node.mine([]);

      const latest = await node.rpc("eth_getTransactionCount", [ALICE.address, "latest"]);
      expect(Number(latest)).toBe(count);
    },
    60_000,
  );

  it("is called for transactions that fill a block with data, and blocks continue", async () => {
    await using node = await start(YES, { gasLimit: "0x100000" });
    const data = `0x${"ff".repeat((0x100000 - 21_000) / 16 - 4)}`;
    const raw = await signTransaction({ to: ALICE.address, data, gasLimit: 0x100000n });
    await node.rpc("eth_sendRawTransaction", [raw]);
    await node.mine([]);

    const latest = await node.rpc("eth_getTransactionCount", [ALICE.address, "latest"]);
    expect(Number(latest)).toBe(1);
  });

  it("decides the same on slow and on fast machines", async () => {
    // It uses nine tenths of its gas, and then allows.
    const slow = "0x5b5a620f424010600057600160005260206000f3";
    await using node = await start(slow, {}, { rpcCallTimeoutSeconds: 1 });
    await node.rpc("eth_sendRawTransaction", [await signTransaction({ to: ALICE.address })]);
    await node.mine([]);

    const latest = await node.rpc("eth_getTransactionCount", [ALICE.address, "latest"]);
    expect(Number(latest)).toBe(1);
  }, 60_000);
});
