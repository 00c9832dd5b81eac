import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { findBytes } from "../primitives/hex.js";
import { CONFORMANCE, isConformanceMissing } from "../testing/conformance.js";
import { InvalidTransaction } from "./errors.js";
import { decodeTransaction, type Transaction } from "./transaction.js";

interface Result {
  readonly hash?: string;
  readonly sender?: string;
  readonly exception?: string;
  readonly intrinsicGas: string;
}

interface Case {
  readonly name: string;
  readonly txbytes: string;
  readonly result: Readonly<Record<string, Result>>;
}

const LATEST = "Cancun";
/** The chain the tests were made for. */
const CHAIN_ID = 1n;

/** Decodable, but against a rule of the chain or of every fork; which is for those who know them. */
const LEFT_TO_RULES: Readonly<
  Record<string, (transaction: Transaction, result: Result) => boolean>
> = {
  INVALID_CHAINID: ({ chainId }) => chainId !== CHAIN_ID,
  INTRINSIC_GAS_TOO_LOW: ({ gasLimit }, { intrinsicGas }) => gasLimit < BigInt(intrinsicGas),
};

describe.skipIf(isConformanceMissing)("the transactions of ethereum-tests", () => {
  let cases: readonly Case[];

  beforeAll(async () => {
    await loadCrypto();
    cases = readCases();
  });

  it("have the hash and the sender given when the latest fork allows them", () => {
    const valid = cases.filter(({ result }) => result[LATEST]?.hash !== undefined);

    for (const { name, txbytes, result } of valid) {
      const { hash, sender } = decodeTransaction(bytes(txbytes));
      expect({ name, hash, sender }).toEqual({ name, ...pick(result[LATEST]) });
    }
    expect(valid).toHaveLength(37);
  });

  it("have the hash and the sender given when only an old fork allows them", () => {
    const old = cases.filter(
      ({ result }) => result[LATEST]?.hash === undefined && result.Frontier?.hash !== undefined,
    );

    for (const { name, txbytes, result } of old) {
      const { hash, sender } = decodeTransaction(bytes(txbytes));
      expect({ name, hash, sender }).toEqual({ name, ...pick(result.Frontier) });
    }
    expect(old).toHaveLength(2);
  });

  it("are refused when no fork allows them, but for rules of a chain or a fork", () => {
    const invalid = cases.filter(({ result }) =>
      Object.values(result).every(({ hash }) => hash === undefined),
    );
    const counts: Record<string, number> = {};

    for (const { name, txbytes, result } of invalid) {
      const outcome = refusalOf(txbytes, result[LATEST]) ?? expect.fail(`accepted: ${name}`);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }

    expect(counts).toEqual({ refused: 80, INVALID_CHAINID: 19, INTRINSIC_GAS_TOO_LOW: 2 });
  });
});

function readCases(): readonly Case[] {
  const folder = join(CONFORMANCE, "ethereum-tests/TransactionTests");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      const tests: Record<string, Omit<Case, "name">> = JSON.parse(
        readFileSync(join(folder, file), "utf8"),
      );
      return Object.entries(tests).map(([name, test]) => ({ ...test, name: `${file}: ${name}` }));
    });
}

function pick(result: Result | undefined): Pick<Result, "hash" | "sender"> {
  return { hash: result?.hash ?? "", sender: result?.sender ?? "" };
}

/** Refused by us, or the name of the rule that will refuse it; `undefined` when nothing is wrong with it. */
function refusalOf(txbytes: string, result: Result | undefined): string | undefined {
  let transaction: Transaction;
  try {
    transaction = decodeTransaction(bytes(txbytes));
    expect(transaction.sender).toBeDefined();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidTransaction);
    return "refused";
  }
  const rule = result?.exception?.replace("TransactionException.", "") ?? "";
  return result !== undefined && LEFT_TO_RULES[rule]?.(transaction, result) ? rule : undefined;
}

function bytes(hex: string): Uint8Array {
  return findBytes(hex) ?? expect.fail(`not hex: ${hex}`);
}
