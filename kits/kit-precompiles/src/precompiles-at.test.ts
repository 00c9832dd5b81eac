import { FORKS, type Fork } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { precompilesAt } from "./precompiles-at.js";

describe("the precompiles of a fork", () => {
  it.each<[Fork, number]>([
    ["spuriousDragon", 0],
    ["byzantium", 0x08],
    ["petersburg", 0x08],
    ["istanbul", 0x09],
    ["shanghai", 0x09],
    ["cancun", 0x0a],
    ["prague", 0x11],
    ["osaka", 0x11],
  ])("at %s end with %i", (fork, last) => {
    const numbers = precompilesAt(fork).map(({ address }) => Number(BigInt(address)));

    expect(numbers).toEqual(Array.from({ length: Math.max(0, last - 4) }, (_, index) => 5 + index));
  });

  it.each<[Fork, number, number, bigint]>([
    ["byzantium", 0x06, 0, 500n],
    ["istanbul", 0x06, 0, 150n],
    ["byzantium", 0x07, 0, 40_000n],
    ["istanbul", 0x07, 0, 6_000n],
    ["byzantium", 0x08, 384, 260_000n],
    ["istanbul", 0x08, 384, 113_000n],
    ["cancun", 0x0a, 192, 50_000n],
    ["prague", 0x0b, 256, 375n],
    ["prague", 0x0c, 0, 0n],
    ["prague", 0x0c, 160, 12_000n],
    ["prague", 0x0c, 160 * 128, 797_184n],
    ["prague", 0x0c, 160 * 200, 1_245_600n],
    ["prague", 0x0d, 512, 600n],
    ["prague", 0x0e, 288, 22_500n],
    ["prague", 0x0e, 288 * 128, 1_509_120n],
    ["prague", 0x0f, 768, 102_900n],
    ["prague", 0x10, 64, 5_500n],
    ["prague", 0x11, 128, 23_800n],
  ])("has prices: at %s %i with %i bytes", (fork, number, bytes, gas) => {
    const found = precompilesAt(fork).find(({ address }) => BigInt(address) === BigInt(number));

    expect(found?.gas(new Uint8Array(bytes))).toBe(gas);
  });

  it("loads an implementation once", async () => {
    const [first] = precompilesAt("cancun").slice(-1);
    const [second] = precompilesAt("prague").slice(-8);

    expect(await first?.load()).toBe(await second?.load());
  });

  it("supports every fork", () => {
    expect(() => FORKS.map(precompilesAt)).not.toThrow();
  });
});
