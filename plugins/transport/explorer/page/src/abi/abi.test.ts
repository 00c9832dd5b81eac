import { keccak256, loadCrypto, toHex } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { InvalidFile, readArtifacts } from "./artifact.js";
import { addFile, decodeError, decodeInput, decodeLog, findArtifact } from "./book.js";
import { fromBytes } from "./bytes.js";
import { decode } from "./decode.js";
import { encode, InvalidValue, parseInput } from "./encode.js";
import { keccak, keccakText } from "./keccak.js";
import { type Parameter, readParameters } from "./parameter.js";

const parameters = (...types: readonly string[]): readonly Parameter[] =>
  types.map((type) => ({ name: "", type, components: [] }));
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");

beforeAll(loadCrypto);

describe("the hash", () => {
  it("is that of the node, for every length around its blocks", () => {
    for (const length of [0, 1, 31, 32, 135, 136, 137, 271, 272, 273, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) & 0xff);
      expect(keccak(bytes)).toBe(toHex(keccak256(bytes)));
    }
  });

  it("of a signature begins with its selector", () => {
    expect(keccakText("transfer(address,uint256)").slice(0, 10)).toBe("0xa9059cbb");
  });
});

describe("encoding", () => {
  it.each([
    [
      ["uint256", "int8"],
      ["7", "-1"],
    ],
    [
      ["address", "bool"],
      [`0x${"ab".repeat(20)}`, "true"],
    ],
    [
      ["string", "bytes"],
      ["Größe", "0x0102"],
    ],
    [
      ["bytes4", "uint8[]"],
      ["0x01020304", ["1", "2", "3"]],
    ],
    [
      ["string[]", "uint256[2]"],
      [
        ["a", "b"],
        ["5", "6"],
      ],
    ],
  ])("%j is decoded to the same values", (types, values) => {
    const shape = parameters(...types);

    const decoded = decode(shape, `0x${encode(shape, values)}`);

    expect(decoded?.map(({ text, items }) => text ?? items?.map((item) => item.text))).toEqual(
      values,
    );
  });

  it("accepts objects for tuples", () => {
    const shape = readParameters([
      {
        name: "p",
        type: "tuple",
        components: [
          { name: "a", type: "uint8" },
          { name: "b", type: "string" },
        ],
      },
    ]);

    const hex = encode(shape ?? [], [{ b: "x", a: 1 }]);

    expect(decode(shape ?? [], `0x${hex}`)?.[0]?.items?.map(({ text }) => text)).toEqual([
      "1",
      "x",
    ]);
  });

  it("keeps numbers that JSON would round", () => {
    const [list] = parameters("uint256[]");
    const value = list === undefined ? [] : parseInput(list, "[123456789012345678901234567890, 1]");

    expect(value).toEqual(["123456789012345678901234567890", 1]);
  });

  it.each([
    ["uint8", "256"],
    ["uint8", "-1"],
    ["uint256", "1.5"],
    ["address", "0x1234"],
    ["bool", "maybe"],
    ["bytes4", "0x01"],
    ["uint8[2]", ["1"]],
    ["bytes", "0x1"],
  ])("rejects %s %j", (type, value) => {
    expect(() => encode(parameters(type), [value])).toThrow(InvalidValue);
  });
});

describe("decoding", () => {
  it.each([
    ["an offset beyond the data", ["string"], word(1n << 200n)],
    ["a length beyond the data", ["bytes"], word(32) + word(1_000_000)],
    ["data that is too short", ["uint256", "uint256"], word(1)],
    ["no data", ["uint256"], ""],
  ])("fails for %s", (_, types, data) => {
    expect(decode(parameters(...types), `0x${data}`)).toBeUndefined();
  });

  it("of lists that point to themselves ends", () => {
    const data = word(32) + word(60) + word(0).repeat(60);

    const values = decode(parameters("uint256[][][][][]"), `0x${data}`);

    expect(JSON.stringify(values ?? []).length).toBeLessThan(1_000_000);
  });

  it("of values that share their bytes has no more bytes than the data", () => {
    const count = 1000;
    const offsets = word(count * 32).repeat(count);
    const data = word(32) + word(count) + offsets + word(64_000) + "ab".repeat(64_000);

    const [list] = decode(parameters("bytes[]"), `0x${data}`) ?? [];

    const texts = list?.items?.map(({ text }) => text ?? "") ?? [];
    expect(texts).toHaveLength(count);
    expect(texts[0]).toBe(`0x${"ab".repeat(64_000)}`);
    expect(texts.join("").length).toBeLessThan(2 * data.length);
  });
});

describe("the book of ABIs", () => {
  it("knows the standards", () => {
    const input = `0xa9059cbb${word(5)}${word(7)}`;

    expect(decodeInput(input)?.entry.signature).toBe("transfer(address,uint256)");
    expect(decodeError(`0x4e487b71${word(17)}`)?.values[0]?.text).toBe("17");
  });

  it("distinguishes transfers of amounts and of items by what is indexed", () => {
    const event = keccakText("Transfer(address,address,uint256)");
    const topics = [event, `0x${word(1)}`, `0x${word(2)}`];

    const amount = decodeLog({ topics, data: `0x${word(3)}` });
    const item = decodeLog({ topics: [...topics, `0x${word(3)}`], data: "0x" });

    expect(amount?.values.map(({ name }) => name)).toEqual(["from", "to", "value"]);
    expect(item?.values.map(({ name }) => name)).toEqual(["from", "to", "tokenId"]);
  });

  it("finds a contract by its code, whatever its immutable values and metadata are", () => {
    const metadata = (byte: string) => `a264${byte.repeat(3)}0005`;
    const artifact = {
      contractName: "Safe",
      abi: [{ type: "function", name: "open", inputs: [] }],
      deployedBytecode: {
        object: `6080${"00".repeat(4)}5b${metadata("11")}`,
        immutableReferences: { "7": [{ start: 2, length: 4 }] },
      },
    };
    addFile("Safe.json", JSON.stringify(artifact));

    expect(findArtifact(`0x6080${"ab".repeat(4)}5b${metadata("22")}`)?.name).toBe("Safe");
    expect(findArtifact(`0x6081${"ab".repeat(4)}5b${metadata("22")}`)).toBeUndefined();
    expect(decodeInput(keccakText("open()").slice(0, 10))?.entry.name).toBe("open");
  });

  it("reads lists, metadata and the output of a compiler", () => {
    const abi = [{ type: "event", name: "Done", inputs: [] }];
    const names = (json: unknown) =>
      readArtifacts("dir/Some.metadata.json", JSON.stringify(json)).map(({ name }) => name);

    expect(names(abi)).toEqual(["Some"]);
    expect(names({ output: { abi } })).toEqual(["Some"]);
    expect(names({ contracts: { "a.sol": { A: { abi }, B: { abi } } } })).toEqual(["A", "B"]);
  });

  it.each(["", "null", "{}", "[]", '{"abi":5}', '[{"type":"function","name":"<b>"}]', "5"])(
    "rejects the file %j",
    (text) => {
      expect(() => readArtifacts("a.json", text)).toThrow(InvalidFile);
    },
  );

  it("ignores types that would take long to decode", () => {
    const inputs = [{ name: "x", type: `uint8${"[]".repeat(9)}` }];
    const good = { type: "function", name: "good", inputs: [] };

    const [artifact] = readArtifacts(
      "a.json",
      JSON.stringify([{ type: "function", name: "bad", inputs }, good]),
    );

    expect(artifact?.entries.map(({ name }) => name)).toEqual(["good"]);
  });
});

it("bytes and hex are the same", () => {
  expect(fromBytes(Uint8Array.of(0, 1, 255))).toBe("0x0001ff");
});
