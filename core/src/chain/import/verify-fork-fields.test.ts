import { describe, expect, it } from "vitest";
import type { Header } from "../../blocks/header.js";
import { readForks } from "../forks.js";
import { verifyForkFields } from "./verify-fork-fields.js";

const forks = readForks({ londonBlock: 0, shanghaiTime: 100, cancunTime: 200 });
const ROOT = `0x${"11".repeat(32)}` as const;
const header = (fields: Partial<Header>) =>
  ({ number: 1n, timestamp: 0n, difficulty: 0n, ...fields }) as Header;

describe("the fields of a header", () => {
  it.each([
    ["none before their forks", {}],
    ["those of Shanghai", { timestamp: 100n, withdrawalsRoot: ROOT }],
    ["none on a chain that never merged", { timestamp: 100n, difficulty: 1n }],
  ])("may be %s", (_, fields) => {
    expect(() => verifyForkFields(header(fields), forks)).not.toThrow();
  });

  it.each([
    ["too early", { withdrawalsRoot: ROOT }, "withdrawalsRoot came before its fork"],
    ["too early without merge", { difficulty: 1n, blobGasUsed: 0n }, "blobGasUsed came before"],
    ["missing", { timestamp: 100n }, "withdrawalsRoot is missing"],
    ["half there", { timestamp: 200n, withdrawalsRoot: ROOT }, "blobGasUsed is missing"],
  ])("may not be %s", (_, fields, message) => {
    expect(() => verifyForkFields(header(fields), forks)).toThrow(message);
  });
});
