import { spawn, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { PROGRAM } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A program that allocates a terminal for another one; without it these tests are skipped. */
const isMissing = spawnSync("script", ["--version"]).status !== 0;
const COLUMNS = 100;

/** The terminal output of a development chain until it is up. */
async function showOnTerminal(environment: Readonly<Record<string, string>>): Promise<string> {
  using folder = temporaryFolder();
  const line = `${process.execPath} ${PROGRAM} dev --port=0 --rpc-ws-port=0`;
  const terminal = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, TERM: "xterm-256color", ...environment },
  });
  let output = "";
  let isAsked = false;
  terminal.stdout.on("data", (text) => {
    output += String(text);
    if (isAsked || !output.includes("main loop is up")) return;
    isAsked = true;
    // Ctrl-C
    terminal.stdin.write("\u0003");
  });
  await new Promise((resolve) => terminal.once("close", resolve));
  return output;
}

describe.skipIf(isMissing)("a development chain on a terminal", () => {
  it("has short lines, an account table of 100 columns, and colors unless NO_COLOR is set", async () => {
    const [colored, plain] = await Promise.all([
      showOnTerminal({}),
      showOnTerminal({ NO_COLOR: "1" }),
    ]);

    expect(plain).not.toContain("| main |");
    expect(plain).not.toContain("\u001b[3");
    const lines = plain.split("\r\n");
    const accounts = lines.slice(
      lines.indexOf("Accounts"),
      lines.findIndex((each) => each.startsWith("WARN  The keys")),
    );
    expect(accounts.length).toBe(28);
    expect(Math.max(...accounts.map(({ length }) => length))).toBeLessThanOrEqual(COLUMNS);
    expect(colored).toContain("\u001b[36m0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\u001b[39m");
    expect(colored).toContain("\u001b[33mWARN  The keys of these accounts are public");
  });
});
