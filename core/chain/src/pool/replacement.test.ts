import { describe, expect, it } from "vitest";
import { canReplace } from "./replacement.js";

const BUMPS = { gas: 10, blobGas: 100 };

interface Fees {
  readonly fee: number;
  readonly tip?: number;
  readonly blobFee?: number;
}

/** With a tip it is of type 2, with a blob fee of type 3, otherwise legacy. */
function anOffer({ fee, tip, blobFee }: Fees) {
  const type = blobFee !== undefined ? 3 : tip !== undefined ? 2 : 0;
  const transaction = {
    type,
    maxFeePerBlobGas: blobFee === undefined ? undefined : BigInt(blobFee),
  };
  return {
    maxFeePerGas: BigInt(fee),
    maxPriorityFeePerGas: BigInt(tip ?? fee),
    transaction: transaction as never,
  };
}

const replaces = (offer: Fees, old: Fees, baseFee?: number, bumps = BUMPS) =>
  canReplace(anOffer(offer), anOffer(old), {
    bumps,
    baseFee: baseFee === undefined ? undefined : BigInt(baseFee),
  });

describe("a transaction replaces another", () => {
  it.each<[string, Fees, Fees, number | undefined]>([
    ["whose gas price it exceeds by the bump", { fee: 110 }, { fee: 100 }, 7],
    ["of the same price if gas is free", { fee: 0 }, { fee: 0 }, 0],
    [
      "if its effective price increases by the bump",
      { fee: 900, tip: 60 },
      { fee: 900, tip: 50 },
      50,
    ],
    [
      "at the same effective price with the bump in its tip",
      { fee: 110, tip: 110 },
      { fee: 100 },
      0,
    ],
    [
      "with blobs if both prices increase",
      { fee: 220, tip: 2, blobFee: 200 },
      { fee: 200, tip: 1, blobFee: 100 },
      300,
    ],
  ])("%s", (_, offer, old, baseFee) => {
    expect(replaces(offer, old, baseFee)).toBe(true);
  });

  it.each<[string, Fees, Fees, number | undefined]>([
    ["one wei short of the bump", { fee: 109 }, { fee: 100 }, 7],
    ["with the same fee and no higher tip", { fee: 200, tip: 300 }, { fee: 200, tip: 290 }, 250],
    [
      "whose effective price the base fee leaves unchanged",
      { fee: 900, tip: 51 },
      { fee: 900, tip: 50 },
      50,
    ],
    [
      "whose blobs pay less than double",
      { fee: 220, tip: 2, blobFee: 199 },
      { fee: 200, tip: 1, blobFee: 100 },
      300,
    ],
    ["of the other kind: blobs by none", { fee: 900, tip: 900 }, { fee: 1, tip: 1, blobFee: 1 }, 0],
    ["of the other kind: none by blobs", { fee: 900, tip: 900, blobFee: 900 }, { fee: 1 }, 0],
  ])("not %s", (_, offer, old, baseFee) => {
    expect(replaces(offer, old, baseFee)).toBe(false);
  });

  it("by one wei if no bump is required", () => {
    expect(replaces({ fee: 101 }, { fee: 100 }, 7, { gas: 0, blobGas: 100 })).toBe(true);
    expect(replaces({ fee: 99 }, { fee: 100 }, 7, { gas: 0, blobGas: 100 })).toBe(false);
  });
});
