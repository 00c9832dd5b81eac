import { hexToBytes, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { AbiBook, selectorOf } from "./book.js";

beforeAll(async () => {
  await loadCrypto();
});

const word = (value: number) => value.toString(16).padStart(64, "0");
const ABI = [
  {
    type: "function",
    name: "transfer",
    inputs: [
      { name: "to", type: "address" },
      { name: "amount", type: "uint256" },
    ],
  },
  {
    type: "function",
    name: "batch",
    inputs: [
      {
        name: "orders",
        type: "tuple[]",
        components: [
          { name: "id", type: "uint8" },
          { name: "note", type: "string" },
        ],
      },
      { name: "flags", type: "bool[2]" },
    ],
  },
  { type: "error", name: "Locked", inputs: [{ name: "until", type: "uint256" }] },
  { type: "constructor", inputs: [] },
];

function openBook() {
  const book = new AbiBook();
  book.add({ name: "Vault", abi: ABI, bytecode: "0x60016002" });
  return book;
}

describe("a book of ABI files", () => {
  it("names a call with its arguments", () => {
    const data = hexToBytes(
      `0xa9059cbb${"70997970c51812dc3a010c7d01b50e0d17dc79c8".padStart(64, "0")}${word(25)}`,
    );

    expect(openBook().describeCall(data)).toBe("transfer(0x7099…79c8, 25)");
  });

  it("names lists of structs", () => {
    const selector = selectorOf("batch((uint8,string)[],bool[2])");
    const order = `${word(7)}${word(64)}${word(2)}${Buffer.from("hi").toString("hex").padEnd(64, "0")}`;
    const data = `${selector}${word(96)}${word(1)}${word(0)}${word(1)}${word(32)}${order}`;

    expect(openBook().describeCall(hexToBytes(data))).toBe('batch([(7, "hi")], [true, false])');
  });

  it("shows few values of recursively nested lists", () => {
    const book = new AbiBook();
    const type = `uint256${"[]".repeat(8)}`;
    book.add({
      name: undefined,
      abi: [{ type: "function", name: "deep", inputs: [{ name: "lists", type }] }],
      bytecode: undefined,
    });
    // A list of eight lists, each of which starts at the same offset.
    const list = `${word(8)}${word(0).repeat(8)}`;
    const data = `${selectorOf(`deep(${type})`)}${word(32)}${list}${word(8).repeat(32)}`;

    const text = book.describeCall(hexToBytes(data)) ?? "";

    expect(text).toMatch(/^deep\(/);
    expect(text.length).toBeLessThan(20_000);
  });

  it("names a custom error", () => {
    const data = `${selectorOf("Locked(uint256)")}${word(9)}`;

    expect(openBook().describeError(hexToBytes(data))).toBe("Locked(9)");
  });

  it("names the contract that code creates, regardless of its arguments", () => {
    expect(openBook().findContract(hexToBytes("0x60016002ffff"))).toBe("Vault");
    expect(openBook().findContract(hexToBytes("0x60016003"))).toBeUndefined();
  });

  it.each(["0xa9059cbb", "0x12345678", "0x"])("names nothing for %s", (data) => {
    expect(openBook().describeCall(hexToBytes(data))).toBeUndefined();
  });
});
