import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";

const HARDHAT = clientFolder("hardhat");
const OPTIONS = [
  "--profile=dev",
  // Hardhat asks the node for accounts, and its helpers accept networks of this name.
  "--dev-unlocked-accounts=true",
  "--dev-client-version=anvil/v1.0.0",
];

describe.skipIf(isMissing("hardhat"))("hardhat test --network plinth", () => {
  it("passes a suite with fixtures, time travel, set balances and impersonation", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(OPTIONS, { folder: folder.path });

    const output = await runHardhat(["test", "--network", "plinth"], {
      PLINTH_URL: node.url,
      PLINTH_FOLDER: folder.file("hardhat"),
      HOME: folder.path,
    });

    expect(/(\d+) passing/.exec(output)?.[1], output).toBe("16");
    expect(output).not.toContain("failing");
  });
});

function runHardhat(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const env = { PATH: process.env.PATH, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true", ...environment };
  return new Promise((done) => {
    const command = join(HARDHAT, "node_modules/.bin/hardhat");
    execFile(command, [...words], { cwd: HARDHAT, env }, (_error, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}
