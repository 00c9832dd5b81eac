import { setTimeout } from "node:timers/promises";
import { type Address, definePlugin, type Plugin, parseHex } from "@plinth/core";
import {
  ALICE,
  createTestNode,
  devChain,
  recordLogs,
  signTransaction,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type SealCheck, sealChecks } from "./api.js";
import ethash from "./index.js";

const MINER: Address = `0x${"aa".repeat(20)}`;
/** A development chain with another engine. */
const evm = devChain.filter(({ name }) => name.startsWith("evm-"));
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, ethash: { fixedDifficulty: 2 } },
  difficulty: "0x2",
  gasLimit: "0x1fffffffffffff",
  baseFeePerGas: "0x0",
  alloc: { [ALICE.address]: { balance: "1000000000000000000" } },
};

async function start(options: Record<string, unknown>, plugins: readonly Plugin[] = []) {
  const logs = recordLogs();
  const node = await createTestNode({
    plugins: [...evm, ethash, ...plugins],
    genesis: GENESIS,
    options,
    logs,
  });
  const { blocks, pool } = node.node;
  return { node, blocks, pool, logs, [Symbol.asyncDispose]: () => node.stop() };
}

describe("mining", { timeout: 60_000 }, () => {
  it("produces sealed blocks that others accept, and leaves the node responsive", async () => {
    await using miner = await start({ minerEnabled: true, minerCoinbase: MINER });
    await using other = await start({});
    const raw = parseHex(await signTransaction(transfer({ nonce: 0 })));
    const { hash } = await miner.pool.submit(raw ?? new Uint8Array());

    let longest = 0;
    const isDone = () =>
      miner.blocks.head().number >= 3n && miner.blocks.findTransaction(hash) !== undefined;
    for (let last = performance.now(); !isDone(); last = performance.now()) {
      await setTimeout(1);
      longest = Math.max(longest, performance.now() - last);
    }

    const last = miner.blocks.head().number;
    for (let number = 1n; number <= last; number++) {
      const header = miner.blocks.findHeader(number);
      const block = header && miner.blocks.findBlock(header.hash);
      if (block === undefined) throw new Error(`block ${number} is missing`);
      expect((await other.blocks.import(block, { origin: "peer" })).placement).toBe("head");
    }
    expect(other.blocks.stateAt(other.blocks.head()).findAccount(MINER)?.balance).toBe(
      last * 2_000_000_000_000_000_000n + 21_000_000_000_000n,
    );
    expect(longest).toBeLessThan(500);
    const lines = miner.logs.entries.map(({ message }) => message);
    expect(lines.filter((line) => line.startsWith("Produced #1 / "))).toHaveLength(1);
    expect(other.logs.entries.filter(({ message }) => /^Produced/.test(message))).toEqual([]);
  });

  it("is off by default", async () => {
    await using node = await start({ minerCoinbase: MINER });

    await setTimeout(50);

    expect(node.blocks.head().number).toBe(0n);
  });

  it("needs a coinbase", async () => {
    await expect(start({ minerEnabled: true })).rejects.toMatchObject({
      code: "MINER_COINBASE_MISSING",
    });
  });

  it("rejects a block that was changed after it was sealed, until seals are not verified", async () => {
    await using miner = await start({ minerEnabled: true, minerCoinbase: MINER });
    let checks: readonly SealCheck[] = [];
    const command = definePlugin({
      name: "test-command",
      setup: ({ hooks }) =>
        hooks.lifecycle.registered.tap(({ contributions }) => {
          checks = contributions(sealChecks);
        }),
    });
    await using other = await start({}, [command]);
    while (miner.blocks.head().number < 1n) await setTimeout(5);
    const header = miner.blocks.findHeader(1n);
    const block = header && miner.blocks.findBlock(header.hash);
    if (block === undefined) throw new Error("block 1 is missing");
    const changed = { ...block, header: { ...block.header, extraData: Uint8Array.of(1) } };

    await expect(other.blocks.import(changed, { origin: "peer" })).rejects.toMatchObject({
      rule: "seal",
    });
    for (const check of checks) check.isEnabled = false;
    expect((await other.blocks.import(changed, { origin: "peer" })).placement).toBe("head");
  });
});
