import { loadCrypto, RlpError, yieldToLoop } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { signPrivateTransaction } from "../transaction/private-transaction.js";
import { encodeHistory, readHistory } from "./history.js";

beforeAll(() => loadCrypto());

describe("a history", () => {
  it("round-trips, yielding to the event loop if it is long", async () => {
    const transaction = signed();
    const written = Array.from({ length: 5000 }, (_, at) => ({
      encoded: transaction,
      marker: hashOf(at),
      root: hashOf(at + 1),
    }));
    let isRead = false;
    let turns = 0;
    const others = (async () => {
      for (; !isRead; turns++) await yieldToLoop();
    })();
    let at = 0;

    for await (const { encoded, marker, root } of readHistory(encodeHistory(written))) {
      expect({ encoded, marker, root }).toEqual(written[at]);
      at += 1;
    }
    isRead = true;
    await others;

    expect(at).toBe(written.length);
    expect(turns).toBeGreaterThan(2);
  });

  it.each([
    ["no list", Uint8Array.of(1)],
    ["a list of other items", Uint8Array.of(0xc1, 1)],
    ["more than one list", Uint8Array.of(0xc0, 0xc0)],
  ])("is rejected if it is %s", async (_, bytes) => {
    await expect(readHistory(bytes).next()).rejects.toThrow(RlpError);
  });
});

/** Any signed private transaction. */
function signed(): Uint8Array {
  return signPrivateTransaction(
    {
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: 1n,
      value: 0n,
      data: new Uint8Array(),
      privateFrom: new Uint8Array(32).fill(1),
      privacyGroupId: new Uint8Array(32).fill(9),
      restriction: "restricted",
    },
    new Uint8Array(32).fill(7),
  );
}

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as const;
