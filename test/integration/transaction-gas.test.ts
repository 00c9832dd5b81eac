import { getCrypto, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import rpcEth from "@plinth/plugin-rpc-eth";
import {
  ALICE,
  BOB,
  createTestNode,
  FakeClock,
  signTransaction,
  type TestNode,
} from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const START_SECONDS = 1_700_000_000;
const KEY: Hex = `0x${"01".padStart(64, "0")}`;
const OSAKA = { shanghaiTime: 0, cancunTime: 0, pragueTime: 0, osakaTime: 0 };
/** EIP-7825. */
const FORK_LIMIT = 2n ** 24n;
const BLOCK_LIMIT = 30_000_000n;
/** Reverts unless it has more than 17 million gas. */
const GREEDY = { address: `0x${"9e".repeat(20)}`, code: "0x63010366405a11600e57600080fd5b00" };

beforeAll(async () => {
  await loadCrypto();
});

describe.each(["qbft", "ibft2"] as const)("pertxgaslimit of %s", (engine) => {
  it.each<[string, object, object, bigint]>([
    ["the cap of the fork without it", OSAKA, {}, FORK_LIMIT],
    ["more than the fork allows", OSAKA, { pertxgaslimit: 20_000_000 }, 20_000_000n],
    ["less than the fork allows", OSAKA, { perTxGasLimit: "0x186a0" }, 100_000n],
    ["all of a block with 0", OSAKA, { pertxgaslimit: 0 }, BLOCK_LIMIT],
    ["all of a block before Osaka", {}, {}, BLOCK_LIMIT],
    ["less than a block before Osaka", {}, { pertxgaslimit: "100000" }, 100_000n],
  ])("gives transactions %s", async (_, forks, settings, limit) => {
    const { clock, node } = await start(engine, settings, forks);
    await using _node = node;

    await expect(send(node, { gasLimit: limit + 1n })).rejects.toMatchObject({ code: -32005 });
    const hash = await send(node, { gasLimit: limit });
    await run(clock, 3);

    expect(await node.rpc("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
  });

  it.each([
    [{}, false],
    [{ pertxgaslimit: 18_000_000 }, true],
    [{ pertxgaslimit: 0 }, true],
  ])("bounds estimates: %j", async (settings, isEnough) => {
    const { node } = await start(engine, settings, OSAKA);
    await using _node = node;

    const estimate = node.rpc("eth_estimateGas", [{ from: ALICE.address, to: GREEDY.address }]);
    if (isEnough) await expect(estimate).resolves.toMatch(/^0x10[0-9a-f]{5}$/);
    else await expect(estimate).rejects.toThrow("revert");
    // A call is not a transaction.
    const call = { to: GREEDY.address, gas: "0x1c9c380" };
    expect(await node.rpc("eth_call", [call, "latest"])).toBe("0x");
  });

  it("changes with a transition, for pending transactions as well", async () => {
    const { clock, node } = await start(engine, { pertxgaslimit: 200_000 }, {}, [
      { block: 3, pertxgaslimit: 100_000 },
      { block: 5, pertxgaslimit: 0 },
    ]);
    await using _node = node;
    const head = () => node.node.blocks.head().number;

    await send(node, { gasLimit: 200_000n });
    const waiting = await send(node, { nonce: 2, gasLimit: 200_000n });
    while (head() < 2n) await run(clock, 1);
    await expect(send(node, { nonce: 1, gasLimit: 100_001n })).rejects.toThrow("cap exceeded");
    await send(node, { nonce: 1, gasLimit: 100_000n });
    while (head() < 4n) await run(clock, 1);
    expect(await node.rpc("eth_getTransactionByHash", [waiting])).toBeNull();
    const hash = await send(node, { nonce: 2, gasLimit: BLOCK_LIMIT });
    await run(clock, 2);

    expect(await node.rpc("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
  });

  it.each([
    [{ pertxgaslimit: 30_000_001 }, [], `config.${engine}.pertxgaslimit is 30000001`],
    [{}, [{ block: 2, pertxgaslimit: 30_000_001 }], `config.transitions.${engine} sets`],
    [{ pertxgaslimit: -1 }, [], "perTxGasLimit"],
    [{ pertxgaslimit: "020" }, [], "perTxGasLimit"],
    [{ pertxgaslimit: 1.5 }, [], "perTxGasLimit"],
  ])("is refused: %j %j", async (settings, transitions, problem) => {
    await expect(start(engine, settings, {}, transitions)).rejects.toThrow(problem);
  });
});

async function send(
  node: TestNode,
  fields: { readonly nonce?: number; readonly gasLimit: bigint },
): Promise<unknown> {
  const raw = await signTransaction({ to: BOB, gasPrice: 0n, ...fields });
  return node.rpc("eth_sendRawTransaction", [raw]);
}

/** A node that is the only validator. */
async function start(
  engine: "ibft2" | "qbft",
  settings: object,
  forks: object,
  transitions: readonly object[] = [],
) {
  const clock = new FakeClock(START_SECONDS * 1000);
  const codec = engine === "qbft" ? qbftExtraData : ibftExtraData;
  const self = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(KEY)));
  const node = await createTestNode({
    plugins: [consensusIbft, consensusQbft, rpcEth],
    key: KEY,
    clock,
    options: { minGasPrice: "0" },
    genesis: {
      config: {
        chainId: 1337,
        londonBlock: 0,
        zeroBaseFee: true,
        ...forks,
        [engine]: settings,
        transitions: { [engine]: transitions },
      },
      difficulty: "0x1",
      gasLimit: toHexNumber(BLOCK_LIMIT),
      timestamp: toHexNumber(BigInt(START_SECONDS)),
      extraData: toHex(codec.encodeGenesis([self])),
      alloc: { [GREEDY.address]: { balance: "0", code: GREEDY.code } },
    },
  });
  return { clock, node };
}

function toHexNumber(value: bigint): string {
  return `0x${value.toString(16)}`;
}

async function run(clock: FakeClock, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 10; step++) {
    await clock.advance(100);
    for (let turn = 0; turn < 15; turn++) await new Promise((done) => setImmediate(done));
  }
}
