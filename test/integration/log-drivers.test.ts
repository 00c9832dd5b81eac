import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GENESIS, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A plugin that writes log lines into a file, in a form of its own, and the first words of each to the terminal. */
const PLUGIN = `
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { definePlugin, logDrivers } from "@plinth/core";

export default definePlugin({
  name: "logs-lines",
  setup(node) {
    node.log.info("set up");
    node.contribute(logDrivers, {
      name: "lines",
      open({ dataPath }) {
        const file = createWriteStream(join(dataPath, "..", "lines.log"));
        return {
          write({ level, plugin, message }) {
            file.write(\`\${level} \${plugin} \${message}\\n\`);
            process.stdout.write(\`\${message}\\n\`);
          },
          close: () => new Promise((resolve) => file.end(resolve)),
        };
      },
    });
  },
});
`;

describe("a log driver of a plugin", () => {
  it("gets every line from the set-up of plugins to the end", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("logs.mjs"), PLUGIN);
    writeFileSync(
      folder.file("plinth.toml"),
      'plugins = ["./logs.mjs"]\nlogging-driver = "lines"\n',
    );
    const node = await startNode([`--genesis-file=${GENESIS}`], { folder: folder.path });
    await node.stop();
    const lines = readFileSync(folder.file("lines.log"), "utf8").split("\n");

    expect(lines[0]).toBe("info logs-lines set up");
    expect(lines).toContain("info plinth Ethereum main loop is up.");
    expect(lines).toContain("info plinth Stopped: SIGTERM");
  });

  it("that is not there is refused by name", async () => {
    using folder = temporaryFolder();
    const words = [`--genesis-file=${GENESIS}`, "--logging-driver=pino"];
    const { code, stderr } = await runProgram(words, { folder: folder.path });

    expect(code).toBe(2);
    expect(stderr).toContain(
      "Invalid value for option '--logging-driver': no loaded plugin offers 'pino'",
    );
  });
});
