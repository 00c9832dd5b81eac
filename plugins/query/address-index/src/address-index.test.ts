import { type Address, definePlugin, optional } from "@plinth/core";
import { ALICE, BOB, createTestNode, recordLogs, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import plugin from "./index.js";
import { type AddressIndex, addressIndex, type TransactionPosition } from "./service.js";

const NEVER = new AbortController().signal;
const COMMAND = "operator rebuild-address-index";

describe("--address-index-enabled", () => {
  it("is off by default", async () => {
    await using test = await start({});

    expect(test.index()).toBeUndefined();
  });

  it("indexes blocks behind the head, and logs it", async () => {
    const logs = recordLogs();
    await using test = await start({ addressIndexEnabled: true }, logs);

    await test.node.mine([transfer(), transfer()], [transfer({ to: ALICE.address })]);

    expect(await test.transactionsOf(BOB)).toEqual([
      { number: 1n, index: 0 },
      { number: 1n, index: 1 },
    ]);
    expect(await test.transactionsOf(ALICE.address)).toHaveLength(3);
    expect(test.index()?.findByNonce(ALICE.address, 2n)).toEqual({ number: 2n, index: 0 });
    const lines = () =>
      logs.entries.filter(({ logger }) => logger === "address-index").map((each) => each.message);
    while (!lines().includes("The address index is complete.")) await new Promise(setImmediate);
  });

  it("follows reorganizations and restarts", async () => {
    await using test = await start({ addressIndexEnabled: true });
    await test.node.mine([transfer()], [transfer()]);
    expect(await test.transactionsOf(BOB)).toHaveLength(2);

    await test.node.reorganize(1, [], [transfer()]);
    expect(await test.transactionsOf(BOB)).toEqual([
      { number: 1n, index: 0 },
      { number: 3n, index: 0 },
    ]);
    await test.node.restart();

    expect(test.index()?.lastBlock).toBe(3n);
    expect(await test.transactionsOf(BOB)).toHaveLength(2);
  });

  it("is removed and built again by a command", async () => {
    await using test = await start({ addressIndexEnabled: true });
    await test.node.mine([transfer()], [transfer()]);
    await test.transactionsOf(BOB);
    await test.node.stop();

    const { stdout, code } = await test.node.command(COMMAND);

    // Two transfers with two parties and a nonce each.
    expect([code, stdout]).toEqual([0, "Blocks 0 to 2: 6 entries.\n"]);
    await test.node.restart();
    expect(test.index()?.lastBlock).toBe(2n);
    expect(await test.transactionsOf(BOB)).toHaveLength(2);
  });
});

async function start(options: object, logs?: ReturnType<typeof recordLogs>) {
  let index: AddressIndex | undefined;
  const user = definePlugin({
    name: "index-user",
    dependencies: { index: optional(addressIndex) },
    setup({ onStart }) {
      onStart((runtime) => {
        index = runtime.index;
      });
    },
  });
  const node = await createTestNode({
    plugins: [plugin, user],
    ...(logs === undefined ? {} : { logs }),
    options: { devPeriodSeconds: 3600, ...options },
  });
  return {
    node,
    index: () => index,
    async transactionsOf(address: Address): Promise<readonly TransactionPosition[]> {
      expect(await index?.waitForHead({ timeoutMs: 5000, signal: NEVER })).toBe(true);
      const found: TransactionPosition[] = [];
      const range = { from: 0n, to: 100n };
      for await (const each of index?.transactionsOf(address, range) ?? []) found.push(each);
      return found;
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
