import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Evm } from "@plinth/core/evm";
import { createTestEvm, createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CaseResult, CHAIN_ID, runCase } from "../support/evm-cases.js";
import { caseOf, tableRows } from "../support/evm-tables.js";
import { isGethEvmMissing, resultsOfGeth } from "../support/geth-state-tests.js";
import { ROOT } from "../support/program.js";

/**
 * The results of geth v1.16.9 by row and fork; `PLINTH_EVM_VECTORS=1` makes geth write them again.
 */
const FILE = join(ROOT, "test/vectors/evm-tables.json");
const isWriting = process.env.PLINTH_EVM_VECTORS !== undefined;
/** The hash of an empty list, as RLP. */
const NO_LOGS = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const TIMEOUT_MS = 600_000;

let node: TestNode;
let evm: Evm;
beforeAll(async () => {
  node = await createTestNode();
  evm = await createTestEvm({ chainId: CHAIN_ID }, "plinth");
}, 60_000);
afterAll(() => node.stop());

describe("tables of single rules", () => {
  it.skipIf(isGethEvmMissing() || !isWriting)("match geth", { timeout: TIMEOUT_MS }, () => {
    const cases = allCases();
    const results = resultsOfGeth(cases.map(({ one }) => one)).map(printed);
    const recorded = Object.fromEntries(cases.map(({ key }, index) => [key, results[index]]));
    writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);

    expect(readRecorded()).toEqual(recorded);
  });

  it("produce the state roots and logs of geth", { timeout: TIMEOUT_MS }, async () => {
    const recorded = readRecorded();
    const actual: Record<string, string> = {};
    for (const { key, one } of allCases()) actual[key] = printed(await runCase(one, { evm, node }));

    const different = Object.keys(actual).filter((key) => actual[key] !== recorded[key]);
    expect(different).toEqual([]);
    expect(Object.keys(actual)).toEqual(Object.keys(recorded));
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

/** The state root, and the hash of the logs if there are any. */
function printed({ root, logs }: Pick<CaseResult, "root" | "logs">): string {
  return logs === NO_LOGS ? root : `${root} ${logs}`;
}

function readRecorded(): Record<string, string> {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
}
