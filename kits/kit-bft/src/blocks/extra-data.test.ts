import { type Address, encodeRlp, type Rlp, RlpError, toHex } from "@plinth/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BftExtraDataCodec, type ExtraDataForm } from "./extra-data.js";

const form: ExtraDataForm = {
  type: "TEST_EXTRA_DATA",
  engine: "test",
  title: "Test",
  noVote: [],
  dropVote: new Uint8Array(),
  roundToRlp: (round) => (round === 0 ? new Uint8Array() : Uint8Array.of(round)),
  roundFromBytes: (bytes) => bytes[0] ?? 0,
  allowsMore: false,
  sealed: (items) => items,
  hashed: (items) => items,
};
const codec = new BftExtraDataCodec(form);

const VANITY = new Uint8Array(32);
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex);
const validators = fc.array(address, { maxLength: 50 });

describe("BFT extra data", () => {
  it("decodes to the encoded validators, in order", () => {
    fc.assert(
      fc.property(validators, (list) => {
        expect(codec.decodeValidators(codec.encodeGenesis(list))).toEqual(list);
      }),
    );
  });

  it("is vanity, validators, no vote, round zero, no seals", () => {
    const bytes = codec.encodeGenesis([`0x${"11".repeat(20)}`]);

    expect(bytes).toEqual(
      encodeRlp([new Uint8Array(32), [new Uint8Array(20).fill(0x11)], [], new Uint8Array(), []]),
    );
  });

  it.each(["add", "drop"] as const)("decodes a vote to %s, the round and the seals", (kind) => {
    const candidate: Address = `0x${"22".repeat(20)}`;
    const seals = [new Uint8Array(65).fill(1)];
    const data = { vanity: VANITY, validators: [], vote: { candidate, kind }, round: 3, seals };

    expect(codec.decode(codec.encode(data))).toEqual(data);
  });

  it("ignores additional items only if its engine does", () => {
    const more = encodeRlp([VANITY, [], [], new Uint8Array(), [], []]);

    expect(() => codec.decode(more)).toThrow(RlpError);
    expect(new BftExtraDataCodec({ ...form, allowsMore: true }).decode(more).validators).toEqual(
      [],
    );
  });

  it.each(["0x", "0x11", `0x${"11".repeat(19)}`, `0x${"11".repeat(21)}`, `0x${"zz".repeat(20)}`])(
    "is not encoded with the validator %s",
    (validator) => {
      expect(() => codec.encodeGenesis([validator as Address])).toThrow(RlpError);
    },
  );
});

describe("malformed BFT extra data", () => {
  it.each<[string, Rlp]>([
    ["a text", new Uint8Array(32)],
    ["no list of five", [new Uint8Array(32), [], [], new Uint8Array()]],
    ["more than a list of five", [new Uint8Array(32), [], [], new Uint8Array(), [], []]],
    ["no list of validators", [new Uint8Array(32), new Uint8Array(20), [], new Uint8Array(), []]],
    [
      "a validator of another length",
      [new Uint8Array(32), [new Uint8Array(19)], [], new Uint8Array(), []],
    ],
    ["a list for a validator", [new Uint8Array(32), [[]], [], new Uint8Array(), []]],
  ])("are refused: %s", (_, item) => {
    expect(() => codec.decodeValidators(encodeRlp(item))).toThrow(RlpError);
  });

  it("is rejected whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decode(bytes)).toBe("refused");
      }),
      { numRuns: 1000 },
    );
  });

  it("is rejected or decoded if it is nearly right", () => {
    const nearly = fc
      .tuple(validators, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat({ max: 3 }))
      .map(([list, place, byte, cut]) => {
        const bytes = codec.encodeGenesis(list);
        bytes[place % bytes.length] = byte;
        return bytes.subarray(0, bytes.length - cut);
      });

    fc.assert(
      fc.property(nearly, (bytes) => {
        expect(["read", "refused"]).toContain(decode(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it("is rejected if lists are nested endlessly", () => {
    expect(decode(new Uint8Array(100_000).fill(0xc1))).toBe("refused");
  });
});

/** The result of decoding bytes; any unexpected error passes through. */
function decode(bytes: Uint8Array): "read" | "refused" {
  try {
    for (const validator of codec.decodeValidators(bytes)) {
      expect(validator).toMatch(/^0x[0-9a-f]{40}$/);
    }
    return "read";
  } catch (error) {
    if (error instanceof RlpError) return "refused";
    throw error;
  }
}
