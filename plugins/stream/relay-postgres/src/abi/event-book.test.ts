import { type Hash, hexToBytes, loadCrypto } from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { beforeAll, describe, expect, it } from "vitest";
import { EventBook } from "./event-book.js";

const ADDRESS = "ab".repeat(20);

beforeAll(() => loadCrypto());

describe("an event", () => {
  it("is decoded from its topics and its data, in the order of its parameters", () => {
    const book = bookOf(
      event("Sent", [
        ["value", "uint256", false],
        ["to", "address", true],
        ["isFinal", "bool", false],
        ["note", "string", true],
        ["", "int8", false],
      ]),
    );

    const topics = [
      hashOf("Sent(uint256,address,bool,string,int8)"),
      `0x${ADDRESS.padStart(64, "0")}`,
      `0x${"77".repeat(32)}`,
    ] as Hash[];
    const decoded = book.decode({ topics, data: data(word(2n ** 255n), word(1), word(-2n)) });

    expect(decoded).toMatchObject({
      contract: "Token",
      name: "Sent",
      signature: "Sent(uint256,address,bool,string,int8)",
    });
    expect(JSON.parse(decoded?.json ?? "")).toEqual({
      value: String(2n ** 255n),
      to: `0x${ADDRESS}`,
      isFinal: true,
      note: `0x${"77".repeat(32)}`,
      4: "-2",
    });
  });

  it("is decoded with texts, data, lists and structs", () => {
    const order = {
      name: "orders",
      type: "tuple[]",
      components: [
        { name: "id", type: "uint64" },
        { name: "tags", type: "bytes4[2]" },
      ],
    };
    const book = bookOf({
      type: "event",
      name: "E",
      inputs: [{ name: "text", type: "string" }, order],
    });

    const decoded = book.decode({
      topics: [hashOf("E(string,(uint64,bytes4[2])[])")],
      data: data(
        ...[
          word(64),
          word(128),
          word(5),
          Buffer.from('a\u0000"b\n').toString("hex").padEnd(64, "0"),
        ],
        ...[word(1), word(9), "11223344".padEnd(64, "0"), "55667788".padEnd(64, "0")],
      ),
    });

    expect(JSON.parse(decoded?.json ?? "")).toEqual({
      text: 'a\ufffd"b\n',
      orders: [{ id: "9", tags: ["0x11223344", "0x55667788"] }],
    });
  });

  it("of the file that is named first wins, and is found by the number of its indexed parameters", () => {
    const book = new EventBook();
    book.add("First", [event("E", [["a", "uint256", true]])]);
    book.add("Second", [
      event("E", [["b", "uint256", true]]),
      event("E", [["c", "uint256", false]]),
    ]);
    const topic = hashOf("E(uint256)");

    const inTopic = book.decode({ topics: [topic, `0x${word(1)}`], data: data() });
    const inData = book.decode({ topics: [topic], data: data(word(1)) });

    expect([inTopic?.contract, inTopic?.json]).toEqual(["First", '{"a":"1"}']);
    expect([inData?.contract, inData?.json]).toEqual(["Second", '{"c":"1"}']);
  });

  it.each([
    ["data that is too short", [["a", "uint256", false]], [], "E(uint256)"],
    ["a text beyond the data", [["a", "string", false]], [word(32), word(100)], "E(string)"],
    ["an offset beyond the data", [["a", "bytes", false]], [word(2n ** 200n)], "E(bytes)"],
    ["a list beyond the data", [["a", "uint256[]", false]], [word(32), word(3)], "E(uint256[])"],
  ])("is not decoded from %s", (_, inputs, words, signature) => {
    const book = bookOf(event("E", inputs as never));

    expect(book.decode({ topics: [hashOf(signature)], data: data(...words) })).toBeUndefined();
  });

  it("is not decoded if its lists share their items, which would take forever", () => {
    const book = bookOf(event("E", [["a", "uint256[][][][][][][][]", false]]));
    // Every list has ten items, all of which are the next list: 100 million numbers.
    const level = [word(10), ...Array.from({ length: 10 }, () => word(320))];
    const words = [word(32), ...Array.from({ length: 8 }, () => level).flat()];

    const began = performance.now();
    const decoded = book.decode({
      topics: [hashOf("E(uint256[][][][][][][][])")],
      data: data(...words),
    });

    expect(decoded).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it("is decoded however many values it has", () => {
    const book = bookOf(event("E", [["a", "bool[]", false]]));
    const words = [word(32), word(20_000), ...Array.from({ length: 20_000 }, () => word(1))];

    const decoded = book.decode({ topics: [hashOf("E(bool[])")], data: data(...words) });

    expect(JSON.parse(decoded?.json ?? "").a).toHaveLength(20_000);
  });

  it("is not decoded if its lists share their items, which would be much longer than the data", () => {
    const book = bookOf(event("E", [["a", "uint256[][]", false]]));
    // 90 lists, all of which are the one with 90 numbers: 640 kB of 6 kB.
    const [count, number] = [90, word(-1)];
    const outer = [word(count), ...Array.from({ length: count }, () => word(count * 32))];
    const inner = [word(count), ...Array.from({ length: count }, () => number)];

    const decoded = book.decode({
      topics: [hashOf("E(uint256[][])")],
      data: data(word(32), ...outer, ...inner),
    });

    expect(decoded).toBeUndefined();
  });
});

describe("a book of events", () => {
  it.each<[unknown]>([
    [{ type: "event", name: "E", inputs: [{ type: "uint7" }] }],
    [{ type: "event", name: "E", inputs: [{ type: "uint256[1" }] }],
    [{ type: "event", name: "a\tb", inputs: [] }],
    [{ type: "event", name: "E", inputs: [{ name: 1, type: "bool" }] }],
    [{ type: "event", name: "E", inputs: [{ name: "a\u0000", type: "bool" }] }],
    [{ type: "event", name: "E", inputs: [{ name: "\ud800", type: "bool" }] }],
    [{ type: "event", name: "E", inputs: [{ type: "bool[0]" }] }],
    [{ type: "event", name: "E", inputs: [{ type: "tuple[]", components: [] }] }],
    [
      event("E", [
        ["a", "bool", true],
        ["a", "bool", false],
      ]),
    ],
    ["text"],
  ])("rejects %j", (entry) => {
    expect(() => new EventBook().add("Token", [entry])).toThrow();
  });

  it.each(["", "a\u0000", "\ud800", "a".repeat(256)])("rejects the contract %j", (contract) => {
    expect(() => new EventBook().add(contract, [])).toThrow("is not the name of a contract");
  });

  it("ignores functions and anonymous events, and has a hash of its events", () => {
    const [empty, one, other] = [new EventBook(), bookOf(event("E", [])), bookOf(event("F", []))];
    empty.add("Token", [
      { type: "function", name: "f", inputs: [] },
      { ...event("G", []), anonymous: true },
    ]);

    expect(empty.hash).toBeUndefined();
    expect(one.hash).toBe(bookOf(event("E", [])).hash);
    expect(one.hash).not.toBe(other.hash);
  });
});

type Input = readonly [name: string, type: string, indexed: boolean];

function event(name: string, inputs: readonly Input[]) {
  return {
    type: "event",
    name,
    inputs: inputs.map(([input, type, indexed]) => ({ name: input, type, indexed })),
  };
}

function bookOf(...entries: readonly unknown[]): EventBook {
  const book = new EventBook();
  book.add("Token", entries);
  return book;
}

function hashOf(signature: string): Hash {
  return keccakHash(Buffer.from(signature));
}

function data(...words: readonly string[]): Uint8Array {
  return hexToBytes(words.join(""));
}

function word(number: number | bigint): string {
  return BigInt.asUintN(256, BigInt(number)).toString(16).padStart(64, "0");
}
