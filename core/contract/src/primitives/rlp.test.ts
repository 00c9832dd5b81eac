import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHex, toHex } from "./hex.js";
import { decodeFirst, decodeRlp, encodeRlp, type Rlp, RlpError, rlpItems } from "./rlp.js";

const { item } = fc.letrec<{ item: Rlp }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 80 }),
    fc.array(tie("item"), { maxLength: 5 }),
  ),
}));

describe("RLP", () => {
  // https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp/#examples
  it.each<[string, Rlp, string]>([
    ["a word", text("dog"), "0x83646f67"],
    ["a list of words", [text("cat"), text("dog")], "0xc88363617483646f67"],
    ["no bytes", text(""), "0x80"],
    ["an empty list", [], "0xc0"],
    ["a byte that is its own encoding", Uint8Array.of(0x0f), "0x0f"],
    ["two bytes", Uint8Array.of(0x04, 0x00), "0x820400"],
    ["the set theoretical three", [[], [[]], [[], [[]]]], "0xc7c0c1c0c3c0c1c0"],
    ["56 bytes", new Uint8Array(56), `0xb838${"00".repeat(56)}`],
  ])("encodes and decodes %s", (_, item, encoded) => {
    expect(toHex(encodeRlp(item))).toBe(encoded);
    expect(decodeRlp(bytes(encoded))).toEqual(item);
  });

  it("round-trips", () => {
    fc.assert(
      fc.property(item, (item) => {
        expect(decodeRlp(encodeRlp(item))).toEqual(item);
      }),
    );
  });

  it("decodes any bytes as the canonical encoding of an item or rejects them with RlpError", () => {
    fc.assert(
      fc.property(anyBytes(), (bytes) => {
        const decoded = decodeOrError(bytes);

        if (decoded instanceof RlpError) return;
        expect(encodeRlp(decoded)).toEqual(bytes);
      }),
      { numRuns: 1000 },
    );
  });

  it("rejects what @ethereumjs/rlp rejects, and decodes the rest alike", () => {
    fc.assert(
      fc.property(anyBytes(), (bytes) => {
        const decoded = decodeOrError(bytes);

        if (decoded instanceof RlpError) expect(() => RLP.decode(bytes)).toThrow();
        else expect(decoded).toEqual(RLP.decode(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["no bytes", "0x"],
    ["bytes after the item", "0x83646f6700"],
    ["a truncated string", "0x83646f"],
    ["a truncated list", "0xc883636174"],
    ["a truncated length", "0xb9"],
    ["a byte with an unnecessary prefix", "0x8100"],
    ["a long form instead of the short one", "0xb801ff"],
    ["a length with leading zeros", `0xb90038${"00".repeat(56)}`],
    ["an item that exceeds its list", "0xc183"],
    ["an item that exceeds its list into the next", "0xc4c282008000"],
    ["a length beyond every input", "0xbfffffffffffffffff00"],
  ])("refuses %s", (_, encoded) => {
    expect(() => decodeRlp(bytes(encoded))).toThrow(RlpError);
  });

  it("decodes lists nested 1024 levels deep", () => {
    expect(decodeRlp(nestedBytes(1024))).toBeInstanceOf(Array);
  });

  it.each([1025, 10_000, 100_000])("rejects lists nested %d levels deep", (levels) => {
    expect(() => decodeRlp(nestedBytes(levels))).toThrow(RlpError);
  });

  it("encodes like @ethereumjs/rlp", () => {
    fc.assert(
      fc.property(item, (item) => {
        expect(encodeRlp(item)).toEqual(RLP.encode(item as Parameters<typeof RLP.encode>[0]));
      }),
    );
  });

  it("encodes and decodes a list of 500,000 items", () => {
    const items = Array.from({ length: 500_000 }, () => new Uint8Array(12));

    expect(decodeRlp(encodeRlp(items))).toHaveLength(500_000);
  });

  it("rejects encoding lists nested 100,000 levels deep", () => {
    let item: Rlp = [];
    for (let level = 0; level < 100_000; level++) item = [item];

    expect(() => encodeRlp(item)).toThrow(RlpError);
  });

  it("shares no memory with its input", () => {
    const encoded = Buffer.from("83646f67", "hex");
    const decoded = decodeRlp(encoded);
    const byte = Uint8Array.of(1);
    const written = encodeRlp(byte);

    encoded.fill(0);
    byte.fill(0);

    expect(decoded).toEqual(text("dog"));
    expect(written).toEqual(Uint8Array.of(1));
  });
});

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}

/** Arbitrary bytes, and encodings with one byte changed, which get further into the decoder. */
function anyBytes(): fc.Arbitrary<Uint8Array> {
  const damaged = fc
    .tuple(item, fc.nat(), fc.nat(255))
    .map(([item, position, byte]) =>
      encodeRlp(item).map((old, at, all) => (at === position % all.length ? byte : old)),
    );
  return fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 100 }), damaged);
}

function decodeOrError(bytes: Uint8Array): Rlp | RlpError {
  try {
    return decodeRlp(bytes);
  } catch (error) {
    if (error instanceof RlpError) return error;
    throw error;
  }
}

/** A list in a list in a list … */
function nestedBytes(levels: number): Uint8Array {
  const headers: number[][] = [];
  for (let level = 0, length = 0; level < levels; level++) {
    const header = listHeader(length);
    headers.push(header);
    length += header.length;
  }
  return Uint8Array.from(headers.reverse().flat());
}

function listHeader(length: number): number[] {
  if (length < 56) return [0xc0 + length];
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return [0xf7 + bytes.length, ...bytes];
}

describe("many small items", () => {
  it.each([0x01, 0xc0])("of the byte 0x%s are rejected before they fill the memory", (byte) => {
    const length = 2 ** 22;
    const bytes = new Uint8Array(length + 4).fill(byte);
    bytes.set([0xfa, length >> 16, (length >> 8) & 0xff, length & 0xff]);

    expect(() => decodeRlp(bytes)).toThrow(/too many items for 4194308 bytes/);
  });

  it("are decoded if there are few of them", () => {
    const items = Array.from({ length: 50_000 }, () => Uint8Array.of(1));

    expect(decodeRlp(encodeRlp(items))).toHaveLength(50_000);
  });
});

describe("the first item of a list", () => {
  it("is decoded without the others", () => {
    expect(decodeFirst(encodeRlp([Uint8Array.of(7), [Uint8Array.of(1)]]))).toEqual(
      Uint8Array.of(7),
    );
  });

  it.each([
    [new Uint8Array()],
    [Uint8Array.of(0x80)],
    [Uint8Array.of(0xc0)],
    [Uint8Array.of(0xc5, 0x83)],
  ])("is rejected if there is none: %s", (bytes) => {
    expect(() => decodeFirst(bytes)).toThrow(RlpError);
  });
});

describe("the items of a list", () => {
  it("are views of the encoding, whatever their content", () => {
    const { item } = fc.letrec<{ item: Rlp }>((tie) => ({
      item: fc.oneof(
        { maxDepth: 3 },
        fc.uint8Array({ maxLength: 80 }),
        fc.array(tie("item"), { maxLength: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(item), (list) => {
        const bytes = encodeRlp(list);
        const items = [...rlpItems(bytes)];

        expect(items.map((each) => decodeRlp(each))).toEqual(list);
        expect(items.every(({ buffer }) => buffer === bytes.buffer)).toBe(true);
      }),
    );
  });

  it("are iterated up to the first that exceeds the list", () => {
    const items = rlpItems(Uint8Array.of(0xc3, 0x01, 0x83, 0x01));

    expect(items.next().value).toEqual(Uint8Array.of(1));
    expect(() => items.next()).toThrow(RlpError);
  });

  it.each([
    ["no bytes", []],
    ["bytes", [0x81, 0x80]],
    ["bytes after the list", [0xc1, 0x01, 0x01]],
    ["a truncated list", [0xc2, 0x01]],
    ["a length with a leading zero", [0xf9, 0x00, 0x38]],
    ["an unnecessary prefix", [0xc2, 0x81, 0x01]],
  ])("are rejected if they are %s", (_, bytes) => {
    expect(() => [...rlpItems(Uint8Array.from(bytes))]).toThrow(RlpError);
  });
});
