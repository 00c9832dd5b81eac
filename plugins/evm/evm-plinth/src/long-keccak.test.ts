import { keccak256, loadCrypto } from "@plinth/core";
import { expect, it } from "vitest";
import { hashInPieces, loadLongKeccak } from "./long-keccak.js";

it.each([0, 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20 - 7])(
  "hashes %d bytes like the one-shot function",
  async (length) => {
    await loadCrypto();
    await loadLongKeccak();
    const bytes = new Uint8Array(length).map((_, index) => index % 251);

    expect(hashInPieces(bytes, () => {})).toEqual(keccak256(bytes));
  },
);

it("can be aborted on the way", async () => {
  await loadCrypto();
  await loadLongKeccak();
  let looks = 0;
  const interrupt = () => {
    looks += 1;
    if (looks === 3) throw new Error("too long");
  };

  expect(() => hashInPieces(new Uint8Array(2 ** 24), interrupt)).toThrow("too long");
});
