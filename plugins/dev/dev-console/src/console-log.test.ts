import { hexToBytes, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { formatConsoleCall } from "./console-log.js";

beforeAll(async () => {
  await loadCrypto();
});

const word = (value: bigint | number) =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const text = (value: string) =>
  `${word(value.length)}${Buffer.from(value).toString("hex").padEnd(64, "0")}`;

describe("console.log of a contract", () => {
  it.each([
    ["log()", "51973ec9", ""],
    ["log(uint256)", `f82c50f1${word(42)}`, "42"],
    ["log(uint), as old libraries have it", `f5b1bba9${word(42)}`, "42"],
    ["log(string)", `41304fac${word(32)}${text("hello")}`, "hello"],
    ["log(string,uint256)", `b60e72cc${word(64)}${word(7)}${text("hi")}`, "hi 7"],
    ["log(bool)", `32458eed${word(1)}`, "true"],
    ["log(int256)", `2d5b6cb9${word(-5)}`, "-5"],
  ])("%s prints its arguments", (_, data, line) => {
    expect(formatConsoleCall(hexToBytes(`0x${data}`))).toBe(line);
  });

  it.each([
    ["an unknown selector", "00000000"],
    ["too few bytes", "f82c50f1"],
    ["a text beyond the data", `41304fac${word(32)}${word(9000)}`],
  ])("is ignored with %s", (_, data) => {
    expect(formatConsoleCall(hexToBytes(`0x${data}`))).toBeUndefined();
  });
});
