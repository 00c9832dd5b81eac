import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "../primitives/hex.js";
import { type Rlp, RlpError } from "../primitives/rlp.js";
import { withdrawalFromRlp, withdrawalToRlp } from "./withdrawals.js";

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const withdrawal = fc.record({
  index: uint64,
  validatorIndex: uint64,
  address: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex),
  amountGwei: uint64,
});

const NONE = new Uint8Array();
const ADDRESS = new Uint8Array(20);

describe("withdrawal", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(withdrawal, (withdrawal) => {
        expect(withdrawalFromRlp(withdrawalToRlp(withdrawal))).toEqual(withdrawal);
      }),
    );
  });

  it.each<[string, Rlp]>([
    ["bytes", new Uint8Array()],
    ["three fields", [NONE, NONE, ADDRESS]],
    ["five fields", [NONE, NONE, ADDRESS, NONE, NONE]],
    ["a short address", [NONE, NONE, ADDRESS.slice(1), NONE]],
    ["an amount above 64 bits", [NONE, NONE, ADDRESS, new Uint8Array(9).fill(1)]],
  ])("is rejected as %s", (_, item) => {
    expect(() => withdrawalFromRlp(item)).toThrow(RlpError);
  });
});
