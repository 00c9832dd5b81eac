import { type Address, hexToBytes, toHex } from "@plinth/core";
import { createTestNode, DEV_GENESIS, devChain } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { sharedEpochs } from "./epochs.js";
import ethash from "./index.js";
import { isEnough } from "./seal.js";

const MINER: Address = `0x${"aa".repeat(20)}`;
const ID = `0x${"ab".repeat(32)}`;
const evm = devChain.filter(({ name }) => name.startsWith("evm-"));
/** Far too hard for the node itself; tests that solve it use an easy one. */
const HARD = 10n ** 12n;

function genesis(difficulty: bigint) {
  return {
    config: { chainId: 1337, londonBlock: 0, ethash: { fixedDifficulty: Number(difficulty) } },
    difficulty: "0x2",
    gasLimit: "0x1fffffffffffff",
    baseFeePerGas: "0x0",
  };
}

describe("external miners", { timeout: 60_000 }, () => {
  it("find the block to seal, and none once the node has stopped", async () => {
    await using node = await start({ minerEnabled: true, minerCoinbase: MINER });
    const [powHash, seedHash, target, number] = await workOf(node);

    expect(powHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(seedHash).toBe(`0x${"00".repeat(32)}`);
    expect(BigInt(target ?? 0)).toBe(2n ** 256n / HARD);
    expect(number).toBe("0x1");
  });

  it("find work as soon as the node runs, before the cache of the epoch is ready", async () => {
    const real = sharedEpochs.for(1n);
    let make: (hashimoto: Awaited<typeof real>) => void = () => {};
    const slow: typeof real = new Promise((resolve) => {
      make = resolve;
    });
    const epochs = vi.spyOn(sharedEpochs, "for").mockReturnValue(slow);
    await using node = await start({ minerEnabled: true, minerCoinbase: MINER });

    const work = await node.rpc("eth_getWork").catch((error) => error);
    make(await real);
    epochs.mockRestore();

    expect(work).toHaveLength(4);
  });

  it("seal a block that the node then has", async () => {
    const difficulty = 100n;
    await using node = await start({ minerEnabled: true, minerCoinbase: MINER }, difficulty);
    const epoch = await sharedEpochs.for(1n);
    let isTaken = false;
    for (let nonce = 2n ** 60n; !isTaken; nonce++) {
      const [powHash = ""] = await workOf(node);
      const bytes = hexToBytes(nonce.toString(16).padStart(16, "0"));
      const work = epoch.run(hexToBytes(powHash), bytes);
      if (!isEnough(work, difficulty)) continue;
      const params = [toHex(bytes), powHash, toHex(work.mix)];
      // The node works on it, too, and may have been first.
      isTaken = (await node.rpc("eth_submitWork", params)) === true;
      if (!isTaken) continue;
      const { blocks } = node.node;
      while (![...headers(blocks)].some((header) => toHex(header.nonce) === toHex(bytes))) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }

    expect(isTaken).toBe(true);
  });

  it("get false for an invalid seal", async () => {
    await using node = await start({ minerEnabled: true, minerCoinbase: MINER });
    const [powHash] = await workOf(node);
    const nonce = "0x0000000000000001";

    expect(await node.rpc("eth_submitWork", [nonce, powHash, ID])).toBe(false);
    expect(await node.rpc("eth_submitWork", [nonce, ID, ID])).toBe(false);
    const submit = (...params: unknown[]) => node.rpc("eth_submitWork", params);
    await expect(submit("0x1", ID, ID)).rejects.toThrow("Invalid nonce params");
    await expect(submit(nonce, "0x1", ID)).rejects.toThrow("Invalid pow hash params");
    await expect(submit(nonce, ID, "0x1")).rejects.toThrow("Invalid mix hash params");
  });

  it("get an error if there is no work, or no proof of work", async () => {
    await using idle = await start({});
    await using other = await createTestNode({ plugins: [ethash], genesis: DEV_GENESIS });

    await expect(idle.rpc("eth_getWork")).rejects.toMatchObject({
      code: -32000,
      message: "No mining work available yet",
    });
    await using besu = await createTestNode({
      plugins: [ethash],
      genesis: DEV_GENESIS,
      options: { rpcCompatibility: "besu" },
    });
    await expect(other.rpc("eth_getWork")).rejects.toMatchObject({ code: -32604 });
    await expect(besu.rpc("eth_getWork")).rejects.toMatchObject({ code: -32603 });
  });

  it("count towards the hash rate", async () => {
    await using node = await start({ minerEnabled: true, minerCoinbase: ID.slice(0, 42) });
    await using idle = await start({});

    expect(await idle.rpc("eth_hashrate")).toBe("0x0");
    expect(await node.rpc("eth_submitHashrate", ["0x500", ID])).toBe(true);
    expect(await node.rpc("eth_submitHashrate", ["0x600", ID])).toBe(true);

    expect(Number(await node.rpc("eth_hashrate"))).toBeGreaterThanOrEqual(0x600);
  });

  it("report rates in 32 bytes and under any name; one of zero, or for another chain, is not recorded", async () => {
    await using node = await start({});
    await using other = await createTestNode({ plugins: [ethash], genesis: DEV_GENESIS });
    const report = (...params: unknown[]) => node.rpc("eth_submitHashrate", params);

    expect(await report(`0x${"500".padStart(64, "0")}`, "rig 7")).toBe(true);
    expect(await report("0x0", ID)).toBe(false);
    expect(await other.rpc("eth_submitHashrate", ["0x500", ID])).toBe(false);
    await expect(report("fast", ID)).rejects.toThrow("Invalid hash rate params");
    await expect(report("0x1")).rejects.toThrow("Invalid sealer ID params");
    await expect(report("0x1", "x".repeat(257))).rejects.toThrow("Invalid sealer ID params");
  });
});

async function start(options: Record<string, unknown>, difficulty = HARD) {
  return createTestNode({ plugins: [...evm, ethash], genesis: genesis(difficulty), options });
}

type TestNode = Awaited<ReturnType<typeof start>>;

/** Waits for the miner to start. */
async function workOf(node: TestNode): Promise<readonly string[]> {
  for (;;) {
    try {
      return (await node.rpc("eth_getWork")) as string[];
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function* headers(blocks: TestNode["node"]["blocks"]) {
  for (let number = 1n; number <= blocks.head().number; number++) {
    const header = blocks.findHeader(number);
    if (header !== undefined) yield header;
  }
}
