import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Codec, DecodeError } from "./codec.js";
import { t } from "./ethereum.js";

const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = `0x${"ab".repeat(20)}`;

const LENIENT = {
  takesDecimals: true,
  takesIntegers: true,
  takesBareDigits: true,
  takesShortAddresses: true,
};
const STRICT = { ...LENIENT, takesDecimals: false, takesBareDigits: false };

describe("codecs of Ethereum", () => {
  it.each<[string, Codec<unknown>, fc.Arbitrary<unknown>]>([
    ["quantity", t.quantity, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })],
    ["data", t.data, fc.uint8Array({ maxLength: 100 })],
    ["hash", t.hash, hexOf(32)],
    ["address", t.address, hexOf(20)],
    ["wei", t.wei, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })],
    ["gas", t.gas, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })],
  ])("%s round-trips", (_, codec, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const encoded = codec.encode(value);

        expect(codec.decode(encoded)).toEqual(value);
        expect(encoded).toMatch(new RegExp(String(codec.schema.pattern)));
      }),
    );
  });

  it.each<[string, unknown, unknown, Codec<unknown>]>([
    ["quantity", "0x0", 0n, t.quantity],
    ["quantity", "0x1f", 31n, t.quantity],
    ["quantity", "0xABC", 0xabcn, t.quantity],
    ["quantity", `0x${"f".repeat(64)}`, 2n ** 256n - 1n, t.quantity],
    ["data", "0x", new Uint8Array(), t.data],
    ["data", "0x00Ff", Uint8Array.of(0, 255), t.data],
    ["data", "00ff", Uint8Array.of(0, 255), t.data],
    ["data", "", new Uint8Array(), t.data],
    ["hash", HASH.slice(2), HASH, t.hash],
    ["address", ADDRESS.slice(2), ADDRESS, t.address],
    ["address", "0xB0", `0x${"0".repeat(38)}b0`, t.address],
    ["wei", "0x0001", 1n, t.wei],
    ["wei", "ff", 255n, t.wei],
    ["wei", 31, 31n, t.wei],
    ["gas", `0x${"f".repeat(64)}`, 2n ** 63n - 1n, t.gas],
    ["hash", HASH.toUpperCase().replace("X", "x"), HASH, t.hash],
    ["address", ADDRESS.toUpperCase().replace("X", "x"), ADDRESS, t.address],
  ])("%s reads %s", (_, json, value, codec) => {
    expect(codec.decode(json)).toEqual(value);
  });

  it.each<[string, Codec<unknown>, string | undefined, readonly unknown[]]>([
    [
      "quantity",
      t.quantity,
      undefined,
      ["0x", "0x01", "0x00", "1f", "31", 31, "0xg", "-0x1", "0x 1", `0x1${"0".repeat(64)}`],
    ],
    ["data", t.data, "Invalid data params", ["0", "0x0", "0x0g", 0, ["0x00"], "0x00 "]],
    [
      "hash",
      t.hash,
      "Invalid transaction hash params",
      [HASH.slice(0, -1), `${HASH}0`, HASH.slice(3), ADDRESS, `0x${"zz".repeat(32)}`, `${HASH}\n`],
    ],
    [
      "address",
      t.address,
      "Invalid address params",
      ["", "0x", `${ADDRESS}0`, HASH, `0x${"zz".repeat(20)}`, `${ADDRESS}\n`],
    ],
    ["wei", t.wei, undefined, ["", "0x", -1, 1.5, "-0x1", `0x1${"0".repeat(64)}`, "0xg", 2 ** 60]],
    ["gas", t.gas, undefined, ["", "0x", -1, 1.5, "-0x1", "0xg", `0x${"f".repeat(2000)}`]],
  ])("%s rejects everything else, with its path and its own message", (_, codec, text, values) => {
    for (const value of [...values, undefined, null, true, {}, []]) {
      expect(() => codec.decode(value, "params[0]"), JSON.stringify(value)).toThrowError(
        expect.objectContaining({ path: "params[0]", text, expected: expect.any(String) }),
      );
    }
  });

  it.each([
    ["Latest", "latest"],
    ["0x1F", 31n],
    ["010", 10n],
    [7, 7n],
    ["0x7fffffffffffffff", 2n ** 63n - 1n],
  ])("a block may be given as %j, by number or tag", (json, value) => {
    expect([t.blockId.decode(json), t.blockNumber.decode(json)]).toEqual([value, value]);
  });

  it.each([HASH, { blockHash: HASH }, { blockNumber: "0x1" }])(
    "a block may be given as %j, unless a number is required",
    (json) => {
      expect(t.blockId.decode(json)).toBe(json === HASH || "blockHash" in Object(json) ? HASH : 1n);
      expect(() => t.blockNumber.decode(json)).toThrowError(DecodeError);
    },
  );

  it("a block may be given by a hash that must be canonical", () => {
    const canonical = { blockHash: HASH, requireCanonical: true };

    expect(t.blockId.decode(canonical)).toEqual({ canonical: HASH });
    expect(t.blockId.encode({ canonical: HASH as `0x${string}` })).toEqual(canonical);
    expect(t.blockId.decode({ ...canonical, requireCanonical: false })).toBe(HASH);
    expect(t.blockId.decode(`0x${"ab".repeat(32).slice(1)}`)).toBe(
      `0x0${"ab".repeat(32).slice(1)}`,
    );
  });

  it.each([
    ["latst", "; did you mean latest?"],
    ["FINALISED", "; did you mean finalized?"],
    ["0xzz", ""],
    ["l".repeat(10_000), ""],
  ])("a block given as %s is rejected with the list of tags", (json, suggestion) => {
    const tags = `tag (earliest, latest, pending, safe, finalized${suggestion})`;
    const thrownBy = (codec: { decode(json: unknown): unknown }) => {
      try {
        return codec.decode(json);
      } catch (error) {
        return Object(error).expected;
      }
    };

    expect(thrownBy(t.blockId)).toBe(`a block number, hash or ${tags}`);
    expect(thrownBy(t.blockNumber)).toBe(`a block number or ${tags}`);
  });

  it("decimal digits are not a number for callers that must not use them", () => {
    expect(() => t.blockId.decode("10", "", STRICT)).toThrowError(DecodeError);
    expect(t.blockId.decode("0x10", "", STRICT)).toBe(16n);
    const digits = "ab".repeat(32);
    expect(t.hash.decode(digits)).toBe(`0x${digits}`);
    expect(t.hash.decode(`0x${digits}`, "", STRICT)).toBe(`0x${digits}`);
    expect(() => t.hash.decode(digits, "", STRICT)).toThrowError(DecodeError);
  });

  it("a JSON integer is not a block for callers that must not use it, except inside an object", () => {
    const reading = { ...LENIENT, takesIntegers: false };
    for (const codec of [t.blockId, t.blockNumber]) {
      expect(() => codec.decode(5, "", reading)).toThrowError(DecodeError);
      expect(() => codec.decode(-5, "", reading)).toThrowError(DecodeError);
    }
    expect(t.blockId.decode({ blockNumber: 5 }, "", reading)).toBe(5n);
  });

  it.each([
    ["newest", "Invalid block, unable to parse RLP"],
    ["0x8000000000000000", "Invalid block, unable to parse RLP"],
    [-1, "Invalid block, unable to parse RLP"],
    [{}, "Invalid block, unable to parse RLP"],
    [{ blockHash: "0x01" }, "Invalid block, unable to parse RLP"],
    [{ blockHash: HASH, blockNumber: "0x1" }, "Invalid block, unable to parse RLP"],
    [HASH.slice(2), "Invalid block, unable to parse RLP"],
    ["-0x10", "Invalid block number params"],
    ["-5", "Invalid block number params"],
  ])("a block may not be given as %j", (json, text) => {
    expect(() => t.blockId.decode(json)).toThrowError(expect.objectContaining({ text }));
  });

  it("reject any invalid JSON only with DecodeError", () => {
    const codecs = [t.quantity, t.data, t.hash, t.address];

    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom<Codec<unknown>>(...codecs), (json, codec) => {
        try {
          codec.decode(json);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
    );
  });

  it("encodes only the bytes of a view, not of its whole buffer", () => {
    const part = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);

    expect(t.data.encode(part)).toBe("0x0203");
  });

  it("includes those that are independent of Ethereum", () => {
    expect(t.object({ blocks: t.optional(t.quantity, 10n) }).decode({})).toEqual({ blocks: 10n });
  });
});

function hexOf(bytes: number): fc.Arbitrary<string> {
  return fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString("hex")}`);
}
