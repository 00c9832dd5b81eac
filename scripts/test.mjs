// Runs vitest on the builds and ends with `N passed, N failed, N skipped` on a separate line.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { LEFT_TO_LONG_SUITES } from "./left-to-long-suites.mjs";
import { ROOT } from "./package-folders.mjs";

const SHOWN = 20;

const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
const report = join(folder, "report.json");
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const words = process.argv.slice(2);
const left = words.length === 0 ? LEFT_TO_LONG_SUITES : [];
const child = spawn(process.execPath, [vitest, "run", ...reporters, ...words], {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, PLINTH_TEST_BUILDS: "1", PLINTH_TEST_LEFT: left.join() },
});
child.on("close", (code) => {
  process.exitCode = summarise(code ?? 1);
  rmSync(folder, { recursive: true, force: true });
});

function printSlowest(files) {
  const timed = files.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
  console.log(`\nThe slowest of ${timed.length} files:`);
  for (const { name, ms } of timed.sort((a, b) => b.ms - a.ms).slice(0, SHOWN)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(ROOT, name)}`);
  }
}

function summarise(code) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  // A file that could not be loaded has no tests to count, but is still a failure.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = numFailedTests + broken.length;
  printSlowest(testResults);
  if (left.length > 0) console.log(`\n${left.length} files are left to \`npm run long\`.`);
  console.log(
    `${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`,
  );
  return failed > 0 && code === 0 ? 1 : code;
}
