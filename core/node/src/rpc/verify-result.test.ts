import type { Codec } from "@plinth/core";
import { method } from "@plinth/core";
import type { RegisteredMethod } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { ResultChecks } from "./verify-result.js";

/** A method that counts how often its results are decoded. */
function counting() {
  const counted = { checks: 0 };
  const result: Codec<string> = {
    decode(json) {
      counted.checks += 1;
      return String(json);
    },
    encode: (value) => value,
    schema: { type: "string" },
  };
  const entry = {
    namespace: "test",
    name: "echo",
    fullName: "test_echo",
    plugin: "rpc-test",
    method: method({ summary: "Answers.", result, handle: () => "" }),
  } as unknown as RegisteredMethod;
  return { entry, counted };
}

describe("the verified results", () => {
  it("are the first hundred of a method, and then one in a hundred", () => {
    const { entry, counted } = counting();
    const checks = new ResultChecks();

    for (let call = 0; call < 100; call++) checks.encode(entry, "short");
    expect(counted.checks).toBe(100);

    for (let call = 0; call < 1000; call++) checks.encode(entry, "short");
    expect(counted.checks).toBe(110);
  });

  it("are fewer when they are long", () => {
    const { entry, counted } = counting();
    const checks = new ResultChecks();
    const long = "x".repeat(200_000);

    for (let call = 0; call < 90; call++) checks.encode(entry, long);

    expect(counted.checks).toBe(2);
  });
});
