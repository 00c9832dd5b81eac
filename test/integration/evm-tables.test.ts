import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Evm } from "@plinth/core";
import { createTestEvm, createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHAIN_ID, runCase } from "../support/evm-cases.js";
import { caseOf, tableRows } from "../support/evm-tables.js";
import { isGethEvmMissing, rootsOfGeth } from "../support/geth-state-tests.js";
import { ROOT } from "../support/program.js";

/** State roots by row and fork, as geth v1.16.9 computes them; `PLINTH_EVM_VECTORS=1` has geth write them again. */
const FILE = join(ROOT, "test/vectors/evm-tables.json");
const isWriting = process.env.PLINTH_EVM_VECTORS !== undefined;
const TIMEOUT_MS = 600_000;

let node: TestNode;
let evm: Evm;
beforeAll(async () => {
  node = await createTestNode();
  evm = await createTestEvm({ chainId: CHAIN_ID }, "plinth");
}, 60_000);
afterAll(() => node.stop());

describe("tables of single rules", () => {
  it("give the state roots of geth", { timeout: TIMEOUT_MS }, async () => {
    const recorded = readRoots();
    const actual: Record<string, string> = {};
    for (const { key, one } of allCases()) actual[key] = (await runCase(one, { evm, node })).root;

    const different = Object.keys(actual).filter((key) => actual[key] !== recorded[key]);
    expect(different).toEqual([]);
    expect(Object.keys(actual)).toEqual(Object.keys(recorded));
  });

  it.skipIf(isGethEvmMissing() || !isWriting)("are those of geth", { timeout: TIMEOUT_MS }, () => {
    const cases = allCases();
    const roots = rootsOfGeth(cases.map(({ one }) => one));
    const recorded = Object.fromEntries(cases.map(({ key }, index) => [key, roots[index]]));
    writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);

    expect(roots.every((root) => root !== undefined)).toBe(true);
  });
});

function allCases() {
  let seed = 0;
  return tableRows().flatMap((row) =>
    row.forks.map((fork) => {
      seed += 1;
      return { key: `${row.name} (${fork})`, one: caseOf(row, fork, seed) };
    }),
  );
}

function readRoots(): Record<string, string> {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
}
