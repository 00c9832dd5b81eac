import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { InvalidTransaction } from "../blocks/errors.js";
import { decodeTransaction } from "../blocks/transaction.js";
import type { Fork } from "../evm/fork.js";
import { rulesOf } from "../evm/forks/rules-of.js";
import { loadCrypto } from "../primitives/crypto.js";
import { parseHex } from "../primitives/hex.js";
import { intrinsicGas } from "./intrinsic-gas.js";
import { verifyTransaction } from "./verify-transaction.js";

interface Result {
  readonly hash?: string;
  readonly sender?: string;
  readonly intrinsicGas: string;
}

interface Case {
  readonly name: string;
  readonly txbytes: string;
  readonly result: Readonly<Record<string, Result>>;
}

/** The names of the forks in the tests. */
const FORKS: Readonly<Record<string, Fork>> = {
  Frontier: "frontier",
  Homestead: "homestead",
  EIP150: "tangerineWhistle",
  EIP158: "spuriousDragon",
  Byzantium: "byzantium",
  Constantinople: "constantinople",
  ConstantinopleFix: "petersburg",
  Istanbul: "istanbul",
  Berlin: "berlin",
  London: "london",
  Paris: "paris",
  Shanghai: "shanghai",
  Cancun: "cancun",
};

describe.skipIf(isConformanceMissing)("the transactions of ethereum-tests", () => {
  it("are accepted or rejected under every fork, with hash, sender and intrinsic gas", async () => {
    await loadCrypto();
    const cases = readCases();
    const counts = { taken: 0, refused: 0 };

    for (const { name, txbytes, result } of cases) {
      for (const [fork, expected] of Object.entries(result)) {
        const found = decode(txbytes, FORKS[fork] ?? expect.fail(`unknown fork ${fork}`));
        expect({ name, fork, ...found }).toEqual({ name, fork, ...outcomeOf(expected) });
        counts[found.outcome] += 1;
      }
    }

    expect(cases).toHaveLength(140);
    expect(counts).toEqual({ taken: 436, refused: 1339 });
  });
});

function decode(txbytes: string, fork: Fork) {
  try {
    const transaction = decodeTransaction(parseHex(txbytes) ?? expect.fail(`not hex: ${txbytes}`));
    const { hash, sender } = transaction;
    verifyTransaction(transaction, { fork, chainId: 1n, maxGas: rulesOf(fork).maxTransactionGas });
    return { outcome: "taken", hash, sender, gas: intrinsicGas(transaction, fork) } as const;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidTransaction);
    return { outcome: "refused" } as const;
  }
}

function outcomeOf({ hash, sender, intrinsicGas }: Result) {
  if (hash === undefined) return { outcome: "refused" };
  return { outcome: "taken", hash, sender, gas: BigInt(intrinsicGas) };
}

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
