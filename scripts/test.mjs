// Runs vitest and closes with `N passed, N failed, N skipped` on a line of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
const report = join(folder, "report.json");
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const child = spawn(process.execPath, [vitest, "run", ...reporters, ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  stdio: "inherit",
});
child.on("close", (code) => {
  process.exitCode = summarise(code ?? 1);
  rmSync(folder, { recursive: true, force: true });
});

function summarise(code) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  // A file that could not even be loaded has no tests to count, and is a failure all the same.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = numFailedTests + broken.length;
  console.log(
    `${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`,
  );
  return failed > 0 && code === 0 ? 1 : code;
}
