import type { FieldPresence, Header } from "@plinth/core";
import { readForks } from "@plinth/core/rules";
import { describe, expect, it } from "vitest";
import { verifyForkFields } from "./verify-fork-fields.js";

const forks = readForks({ londonBlock: 0, shanghaiTime: 100, cancunTime: 200 });
const ROOT = `0x${"11".repeat(32)}` as const;
const header = (fields: Partial<Header>) =>
  ({ number: 1n, timestamp: 0n, difficulty: 0n, ...fields }) as Header;

describe("the fields of a header", () => {
  it.each([
    ["none before their forks", {}],
    ["those of Shanghai", { timestamp: 100n, withdrawalsRoot: ROOT }],
  ])("may be %s", (_, fields) => {
    expect(() => verifyForkFields(header(fields), forks, {})).not.toThrow();
  });

  it("are present or absent as the engine requires", () => {
    const verify = (presence: FieldPresence, fields: Partial<Header>) => () =>
      verifyForkFields(header({ timestamp: 100n, ...fields }), forks, {
        forkField: () => presence,
      });

    expect(verify("optional", {})).not.toThrow();
    expect(verify("optional", { withdrawalsRoot: ROOT })).not.toThrow();
    expect(verify("absent", {})).not.toThrow();
    expect(verify("absent", { withdrawalsRoot: ROOT })).toThrow("withdrawalsRoot is not allowed");
    expect(verify("required", {})).toThrow("withdrawalsRoot is missing");
  });

  it.each([
    ["too early", { withdrawalsRoot: ROOT }, "withdrawalsRoot is before its fork"],
    ["missing", { timestamp: 100n }, "withdrawalsRoot is missing"],
    ["half there", { timestamp: 200n, withdrawalsRoot: ROOT }, "blobGasUsed is missing"],
  ])("may not be %s", (_, fields, message) => {
    expect(() => verifyForkFields(header(fields), forks, {})).toThrow(message);
  });
});
