import type { Address, Hex } from "@plinth/core";
import type { EngineChain } from "@plinth/core/consensus";
import { createTestNode, DEV_GENESIS, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractValidators } from "./contract-validators.js";

const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
/** Code that returns these words. */
const returning = (...words: readonly (bigint | number)[]) => {
  const stores = words.map((value, index) => `7f${word(value)}61${word(32 * index).slice(-4)}52`);
  return `0x${stores.join("")}61${word(32 * words.length).slice(-4)}6000f3` as const;
};
const addressOf = (value: number): Address => `0x${value.toString(16).padStart(40, "0")}`;

/** Contracts, each at the address of its index; the last address has none. */
const CODES = {
  "loops for ever": "0x5b600056",
  "fills the memory": "0x600064040000000052",
  reverts: "0x60006000fd",
  "uses up all gas": "0xfe",
  "destroys itself": "0x33ff",
  "returns 10 MB of zeros": "0x629896806000f3",
  "names 300,000 validators": "0x6020600052620493e060205262927c406000f3",
  "claims more than it returns": returning(32, 5, 1),
  "names none": returning(32, 0),
  "returns no list": returning(1),
  "names some twice, none, and in no order": returning(32, 4, 3, 1, 1, 0),
  "has other bits besides the addresses": returning(32, 1, 2n ** 255n + 5n),
  "depends on the block, the time and the gas":
    "0x6020600052600260205242604052455a0160605260806000f3",
  "does not exist": "0x",
} as const satisfies Record<string, Hex>;
type Name = keyof typeof CODES;
const contractOf = (name: Name) => addressOf(0x7700 + Object.keys(CODES).indexOf(name));

describe("a contract for validators that", () => {
  let node: TestNode;
  beforeAll(async () => {
    const alloc = Object.fromEntries(
      Object.entries(CODES).map(([name, code]) => [contractOf(name as Name), { code }]),
    );
    // Gas is no limit.
    node = await createTestNode({
      genesis: { ...DEV_GENESIS, gasLimit: "0x1fffffffffffff", alloc },
    });
  });
  afterAll(() => node.stop());

  const ask = (name: Name, maxMs = 150) => {
    const { blocks } = node.node;
    const validators = new ContractValidators(blocks as unknown as EngineChain, { maxMs });
    return validators.after(blocks.head(), contractOf(name));
  };

  it.each<[Name, RegExp]>([
    ["reverts", /it reverted/],
    ["uses up all gas", /it was halted/],
    ["destroys itself", /it returned something else/],
    ["returns 10 MB of zeros", /it named none/],
    ["names 300,000 validators", /it named more than 4096/],
    ["claims more than it returns", /it returned something else/],
    ["names none", /it named none/],
    ["returns no list", /it returned something else/],
    ["does not exist", /it returned something else/],
  ])("%s prevents the next block", async (name, problem) => {
    const failed = expect(ask(name)).rejects;
    await failed.toMatchObject({
      rule: "validator-contract",
      message: expect.stringMatching(problem),
    });
    await failed.toThrow(`getValidators() of ${contractOf(name)} after block 0`);
  });

  it.each<[Name, string, RegExp]>([
    ["loops for ever", "RUN_TOO_LONG", /after block 0: the run took longer than 150 ms/],
    ["fills the memory", "RUN_TOO_LARGE", /after block 0: the run used more than \d+ bytes/],
  ])("%s is aborted, and no block is blamed", async (name, code, message) => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);

    const failed = expect(ask(name)).rejects;
    await failed.toMatchObject({ code, message: expect.stringMatching(message) });
    clearInterval(timer);

    // Others ran in between.
    if (name === "loops for ever") expect(turns).toBeGreaterThan(2);
  });

  it("runs too long is called once, regardless of the number of callers", async () => {
    const { blocks } = node.node;
    let calls = 0;
    const chain = {
      head: () => blocks.head(),
      call: (...args: Parameters<EngineChain["call"]>) => {
        calls += 1;
        return blocks.call(...args);
      },
    } as unknown as EngineChain;
    const validators = new ContractValidators(chain, { maxMs: 50 });
    const once = () => validators.after(blocks.head(), contractOf("loops for ever"));

    await Promise.allSettled([once(), once(), once()]);
    await expect(once()).rejects.toThrow(/took longer/);

    expect(calls).toBe(1);
  });

  it("names some twice, none, and in no order is accepted as it is, sorted", async () => {
    const names = await ask("names some twice, none, and in no order");
    expect(names).toEqual([0, 1, 1, 3].map(addressOf));
    expect(await ask("has other bits besides the addresses")).toEqual([addressOf(5)]);
  });

  it("depends on the block, the time and the gas returns the same on every node", async () => {
    const name = "depends on the block, the time and the gas";
    expect(await ask(name)).toEqual(await ask(name, 1_000));
  });
});
