import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GENESIS, ROOT, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** The recipe, which also writes to the terminal: the end of a start is visible there. */
function readRecipe(): string {
  const text = readFileSync(join(ROOT, "docs/plugins/recipes.md"), "utf8");
  const code = /^```js\n\/\/ logs-file\.mjs\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? "";
  return code.replace("file.write(", 'process.stdout.write(message + "\\n") && file.write(');
}

describe("a log driver of a plugin", () => {
  it("receives every line from the setup of plugins to the end", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("logs-file.mjs"), readRecipe());
    writeFileSync(
      folder.file("plinth.toml"),
      'plugins = ["./logs-file.mjs"]\nlogging-driver = "file"\n',
    );
    const node = await startNode([`--genesis-file=${GENESIS}`], { folder: folder.path });
    await node.stop();
    const lines = readFileSync(join(folder.path, "data", "plinth.log"), "utf8").split("\n");
    const texts = lines.map((line) => line.slice(line.indexOf(" ") + 1));

    expect(texts).toContain("info plinth Ethereum main loop is up.");
    expect(texts).toContain("info plinth Stopped: SIGTERM");
  });

  it("that does not exist is rejected by name", async () => {
    using folder = temporaryFolder();
    const words = [`--genesis-file=${GENESIS}`, "--logging-driver=pino"];
    const { code, stderr } = await runProgram(words, { folder: folder.path });

    expect(code).toBe(2);
    expect(stderr).toContain(
      "Invalid value for option '--logging-driver': no loaded plugin offers 'pino'",
    );
  });

  it.each([
    ["throws", 'throw new Error("no disk")', "no disk"],
    ["returns nothing", "", "open returned no writer; expected an object with the method write"],
  ])("that cannot be opened is reported: it %s", async (_, code, problem) => {
    using folder = temporaryFolder();
    const driver = `{ name: "mine", open() { ${code} } }`;
    writeFileSync(
      folder.file("mine.mjs"),
      `import { definePlugin, logDrivers } from "@plinth/core";
export default definePlugin({ name: "mine", setup: (node) => node.contribute(logDrivers, ${driver}) });
`,
    );
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./mine.mjs"]\n');
    const words = [`--genesis-file=${GENESIS}`, "--logging-driver=mine"];
    const { code: exit, stderr } = await runProgram(words, { folder: folder.path });

    expect(stderr).toContain(`the log driver "mine" cannot be opened: ${problem}`);
    expect(exit).toBe(2);
  });
});
