import type { Address } from "@plinth/core";
import { createTestNode, DEV_GENESIS, MAX_SLICE_MS, measureSlices } from "@plinth/testing";
import { beforeAll, expect, it } from "vitest";

const genesis = {
  ...DEV_GENESIS,
  gasLimit: "0x1fffffffffffff",
  config: { ...DEV_GENESIS.config, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
};
/** Of one run, since blocks of these tests are executed a second time to verify them. */
const options = { devPeriodSeconds: 3600, XverifyOwnBlocks: false };

const BN254_G1 = `${word(1)}${word(2)}`;
const BN254_G2 =
  "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";

const BLAKE2F = blake2f(25_000_000);

/** The libraries behind them are loaded once per process. */
beforeAll(async () => {
  await using node = await createTestNode({ genesis, options });
  const short = [modexp(8, 8), `0x${BN254_G1}${BN254_G2}`, `0x${blake2f(12)}`];
  const calls = short.map((data, index) => ({
    to: addressOf([0x05, 0x08, 0x09][index] ?? 0),
    data,
  }));
  await node.mine(calls.map((call) => ({ ...call, gasLimit: 1_000_000n })));
});

/** Each takes about half a second. */
it.each<[string, { to?: Address; data: string }]>([
  ["modexp", { to: addressOf(0x05), data: modexp(8000, 15) }],
  ["a pairing", { to: addressOf(0x08), data: `0x${`${BN254_G1}${BN254_G2}`.repeat(300)}` }],
  ["blake2f", { to: addressOf(0x09), data: `0x${BLAKE2F}` }],
  ["blake2f from a contract", { data: `0x${callWithRest(0x09)}${BLAKE2F}` }],
])(
  "others run while a block with a long call is built and imported: %s",
  { timeout: 60_000 },
  async (_, transaction) => {
    await using builder = await createTestNode({ genesis, options });
    await using importer = await createTestNode({ genesis, options });

    const building = await measureSlices(async () => {
      await builder.mine([{ ...transaction, gasLimit: 2n ** 34n }]);
    });
    const block = builder.node.blocks.findBlock(1n) ?? expect.fail();
    const importing = await measureSlices(async () => {
      await importer.node.blocks.import(block, { origin: "peer" });
    });

    const receipts = await importer.rpc("eth_getBlockReceipts", ["latest"]);
    expect(receipts).toMatchObject([{ status: "0x1" }]);
    expect(building[0]).toBeLessThan(MAX_SLICE_MS);
    expect(importing[0]).toBeLessThan(MAX_SLICE_MS);
  },
);

/** Init code that calls a contract with the data after it, and fails if the call does. */
function callWithRest(number: number): string {
  const size = 25;
  const rest = `60${byte(size)}3803`;
  const copied = `${rest}60${byte(size)}5f39`;
  const called = `5f5f${rest}5f60${byte(number)}5afa`;
  return `${copied}${called}60${byte(size - 2)}57fe5b00`;
}

function blake2f(rounds: number): string {
  return `${word(rounds).slice(-8)}${"5a".repeat(208)}01`;
}

function modexp(modulusBytes: number, exponentBytes: number): string {
  const lengths = [modulusBytes, exponentBytes, modulusBytes].map(word).join("");
  return `0x${lengths}${"fe".repeat(modulusBytes)}${"ff".repeat(exponentBytes + modulusBytes)}`;
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}
