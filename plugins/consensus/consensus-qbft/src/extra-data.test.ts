import { hexToBytes, toHex } from "@plinth/core";
import { extraDataCodecs } from "@plinth/core/consensus";
import { createNode } from "@plinth/node";
import { describe, expect, it } from "vitest";
import consensusQbft from "./index.js";

const VALIDATORS = [
  "0xbe068f726a13c8d46c44be6ce9d275600e1735a4",
  "0x5ff6f4b66a46a2b2310a6f3a93aaddc0d9a1c193",
] as const;

describe("the extra data of QBFT", () => {
  it.each([
    [
      "two validators, in order",
      VALIDATORS,
      "0xf84fa00000000000000000000000000000000000000000000000000000000000000000ea94be068f726a13c8d46c44be6ce9d275600e1735a4945ff6f4b66a46a2b2310a6f3a93aaddc0d9a1c193c080c0",
    ],
    [
      "no validators",
      [],
      "0xe5a00000000000000000000000000000000000000000000000000000000000000000c0c080c0",
    ],
  ])("round-trips with %s", async (_, validators, hex) => {
    const codec = await findCodec();

    expect(toHex(codec.encodeGenesis(validators))).toBe(hex);
    expect(codec.decodeValidators(hexToBytes(hex))).toEqual(validators);
  });

  it("is selected by its type", async () => {
    expect((await findCodec()).type).toBe("QBFT_EXTRA_DATA");
  });
});

/** The codec that the plugin registers. */
async function findCodec() {
  const node = await createNode({ plugins: [consensusQbft] });
  const [codec, ...others] = node.contributions(extraDataCodecs);
  if (codec === undefined || others.length > 0) throw new Error("expected one codec");
  return codec;
}
