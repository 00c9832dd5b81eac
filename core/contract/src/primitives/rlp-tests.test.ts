import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { parseHex, toHex } from "./hex.js";
import { decodeRlp, encodeRlp, type Rlp, RlpError } from "./rlp.js";

type Input = string | number | readonly Input[];

interface Case {
  readonly in: Input;
  readonly out: string;
}

const FOLDER = join(CONFORMANCE, "ethereum-tests/RLPTests");

describe.skipIf(isConformanceMissing)("the RLP tests of ethereum-tests", () => {
  it("encode and decode as given", () => {
    const cases = readCases("rlptest.json");

    for (const { name, ...test } of cases) {
      const item = toItem(test.in);
      expect({ name, out: toHex(encodeRlp(item)) }).toEqual({ name, out: test.out.toLowerCase() });
      expect({ name, item: decodeRlp(bytes(test.out)) }).toEqual({ name, item });
    }
    expect(cases).toHaveLength(28);
  });

  it("are rejected if they are invalid", () => {
    const cases = readCases("invalidRLPTest.json");

    for (const { name, out } of cases) {
      expect(() => decodeRlp(bytes(out)), name).toThrow(RlpError);
    }
    expect(cases).toHaveLength(26);
  });

  it("decode if they are random and valid", () => {
    const cases = readCases("RandomRLPTests/example.json");

    for (const { out } of cases) expect(toHex(encodeRlp(decodeRlp(bytes(out))))).toBe(out);
    expect(cases).toHaveLength(1);
  });
});

function readCases(file: string): readonly (Case & { readonly name: string })[] {
  const tests: Record<string, Case> = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
  return Object.entries(tests).map(([name, test]) => ({ ...test, name }));
}

/** A text stands for its bytes, `#` starts a decimal number. */
function toItem(input: Input): Rlp {
  if (typeof input === "number") return numberBytes(BigInt(input));
  if (typeof input !== "string") return input.map(toItem);
  if (input.startsWith("#")) return numberBytes(BigInt(input.slice(1)));
  return new TextEncoder().encode(input);
}

function numberBytes(value: bigint): Uint8Array {
  const digits = value === 0n ? "" : value.toString(16);
  return bytes(digits.padStart(digits.length + (digits.length % 2), "0"));
}

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
