import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Hash, ZERO_HASH } from "@plinth/core";
import { type Fork, isAtLeast } from "@plinth/core/evm";
import { type CaseResult, type EvmCase, toStateTest } from "./evm-cases.js";
import { ROOT } from "./program.js";
import { temporaryFolder } from "./temporary-folder.js";

/** The first geth supports every fork up to Cancun, the second the later ones as well. */
const VERSIONS = ["v1.13.15", "v1.16.9"] as const;
const MAX_OUTPUT_BYTES = 2 ** 28;

function programOf(fork: Fork): string {
  const version = isAtLeast(fork, "prague") ? VERSIONS[1] : VERSIONS[0];
  return join(ROOT, "node_modules/.cache/geth", version, "evm");
}

/** Whether `npm run long -- geth-evm` must still be run. */
export function isGethEvmMissing(): boolean {
  return !(["cancun", "prague"] as const).every((fork) => existsSync(programOf(fork)));
}

/** Runs cases with geth; returns the seeds with different results, with geth's message. */
export function judgeWithGeth(
  runs: readonly { readonly one: EvmCase; readonly result: CaseResult }[],
): readonly { readonly seed: number; readonly fork: Fork; readonly error: string }[] {
  return [false, true].flatMap((isLate) => {
    const part = runs.filter(({ one }) => isAtLeast(one.fork, "prague") === isLate);
    return part.length === 0 ? [] : judge(part);
  });
}

/** geth's state roots and log hashes of cases; by the later version, which supports every fork. */
export function resultsOfGeth(
  cases: readonly EvmCase[],
): readonly Pick<CaseResult, "root" | "logs">[] {
  const unknown = cases.map(() => ({ root: ZERO_HASH, logs: ZERO_HASH }));
  // geth reports a wrong root first, and wrong logs if the root is right.
  const roots = correctionsOfGeth(cases, unknown);
  const rooted = roots.map((root) => ({ root, logs: ZERO_HASH }));
  const logs = correctionsOfGeth(cases, rooted);
  return cases.map((_, index) => ({
    root: roots[index] as Hash,
    logs: logs[index] as Hash,
  }));
}

/** geth's value instead of a wrong expected hash. */
function correctionsOfGeth(
  cases: readonly EvmCase[],
  expected: readonly Pick<CaseResult, "root" | "logs">[],
): readonly Hash[] {
  const tests = cases.map((one, index) => [
    `seed-${one.seed}`,
    toStateTest(one, expected[index] as CaseResult),
  ]);
  const verdicts = runStateTests(programOf("prague"), Object.fromEntries(tests));
  const errors = new Map(verdicts.map(({ name, error = "" }) => [name, error]));
  return cases.map(({ seed }): Hash => {
    const error = errors.get(`seed-${seed}`);
    const digits = /got (?:0x)?([0-9a-f]{64})/.exec(error ?? "")?.[1];
    if (digits === undefined) throw new Error(`geth did not run seed ${seed}: ${error}`);
    return `0x${digits}`;
  });
}

interface Verdict {
  readonly name: string;
  readonly pass: boolean;
  readonly error?: string;
}

function runStateTests(program: string, tests: object): readonly Verdict[] {
  using folder = temporaryFolder();
  const file = join(folder.path, "tests.json");
  writeFileSync(file, JSON.stringify(tests));
  const { stdout, stderr, status } = spawnSync(program, ["statetest", file], {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status !== 0) throw new Error(`geth's evm ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function judge(runs: Parameters<typeof judgeWithGeth>[0]) {
  const tests = Object.fromEntries(
    runs.map(({ one, result }) => [`seed-${one.seed}`, toStateTest(one, result)]),
  );
  const [first] = runs;
  const verdicts = runStateTests(programOf(first?.one.fork ?? "cancun"), tests);
  const judged = new Map(verdicts.map((verdict) => [verdict.name, verdict]));
  return runs.flatMap(({ one: { seed, fork } }) => {
    const verdict = judged.get(`seed-${seed}`);
    if (verdict?.pass === true) return [];
    return [{ seed, fork, error: verdict?.error ?? "not run" }];
  });
}
