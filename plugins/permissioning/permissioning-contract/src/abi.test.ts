import { describe, expect, it } from "vitest";
import { decodeBoolean, encodeCall, leftWord, word } from "./abi.js";
import { addressBytes } from "./address-bytes.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("the data of a call", () => {
  it("has words in place, followed by bytes of any length", () => {
    const data = encodeCall(Uint8Array.of(1, 2, 3, 4), [
      { kind: "bytes", bytes: Buffer.from("abc") },
      { kind: "word", word: word(5n) },
    ]);

    expect(hex(data)).toBe(
      [
        "01020304",
        "40".padStart(64, "0"),
        "5".padStart(64, "0"),
        "3".padStart(64, "0"),
        "616263".padEnd(64, "0"),
      ].join(""),
    );
  });

  it("has no space for omitted bytes", () => {
    const data = encodeCall(new Uint8Array(), [{ kind: "bytes", bytes: new Uint8Array() }]);

    expect(hex(data)).toBe(`${"20".padStart(64, "0")}${"0".repeat(64)}`);
  });
});

describe("an answer", () => {
  it.each<[Uint8Array, boolean | undefined]>([
    [word(0n), false],
    [word(1n), true],
    [word(2n), undefined],
    [leftWord(Uint8Array.of(1)), undefined],
    [new Uint8Array(), undefined],
    [new Uint8Array(64), undefined],
  ])("%j is %j", (bytes, answer) => {
    expect(decodeBoolean(bytes)).toBe(answer);
  });
});

describe("the bytes of an IP address", () => {
  it.each([
    ["127.0.0.1", `${"00".repeat(10)}ffff7f000001`],
    ["::1", `${"00".repeat(15)}01`],
    ["2001:db8::8a2e:370:7334", "20010db80000000000008a2e03707334"],
    ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
    ["::ffff:10.0.0.1", `${"00".repeat(10)}ffff0a000001`],
  ])("%s", (host, bytes) => {
    expect(hex(addressBytes(host))).toBe(bytes);
  });
});
