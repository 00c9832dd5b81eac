import type { SealedHeader } from "@plinth/core";
import { readForks } from "@plinth/core/rules";
import { expect, it } from "vitest";
import { nextPrices, type PoolContext } from "./pool-context.js";

const BLOB_GAS = 131_072n;

/** A chain whose blobs cost less from time 20 on, with a head and a clock that can be set. */
function createContext() {
  const blobSchedule = {
    cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
    prague: { target: 6, max: 9, baseFeeUpdateFraction: 50_000_000 },
  };
  const forks = readForks({
    londonBlock: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 20,
    blobSchedule,
  });
  const now = { head: headOf(1000n), seconds: 11 };
  const context = {
    floor: { minGasPrice: 0n, minPriorityFee: 0n },
    clock: { now: () => now.seconds * 1000 },
    blocks: { head: () => now.head },
    forks,
  } as unknown as PoolContext;
  return { context, now };
}

function headOf(baseFeePerGas: bigint): SealedHeader {
  const used = { gasUsed: 5n, gasLimit: 10n, blobGasUsed: 0n, excessBlobGas: 100n * BLOB_GAS };
  const at = { number: 1n, timestamp: 10n, difficulty: 0n };
  return { ...used, ...at, baseFeePerGas } as SealedHeader;
}

it("the prices are those of the block after the current head", () => {
  const { context, now } = createContext();
  expect(nextPrices(context).baseFee).toBe(1000n);

  now.head = headOf(2000n);

  expect(nextPrices(context).baseFee).toBe(2000n);
});

it("the prices are those of the rules at the current time", () => {
  const { context, now } = createContext();
  const before = nextPrices(context).blobFee;

  now.seconds = 20;

  expect(nextPrices(context).blobFee).toBeLessThan(before);
});
