import { option, optionKinds } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { formatOverview } from "./overview.js";

const schema = new OptionSchema();
schema.declare("core", {
  dataPath: option.path({ summary: "Folder of the node's data; created if it is missing." }),
  logging: option.oneOf(["OFF", "INFO"], { summary: "Log level." }),
  reorgLoggingThreshold: option.integer({ summary: "Rarely set." }),
});
schema.declare("transport-http", {
  rpcHttpEnabled: option.flag({ summary: "Serves HTTP." }),
  rpcHttpApi: option.list({ summary: "Namespaces.", of: optionKinds.text() }),
});

describe("the overview", () => {
  it("has a line for the most used options, and the groups of the others", () => {
    const lines = formatOverview(schema.all(), [])
      .split("\n")
      .map((line) => line.replace(/(?<=\S) +/g, " "));

    expect(lines).toContain(
      "  --data-path=<PATH> Folder of the node's data; created if it is missing.",
    );
    expect(lines).toContain("  --logging=<CHOICE> Log level.");
    expect(lines).toContain("  --rpc-http-enabled Serves HTTP.");
    expect(lines).toContain("  --rpc-http-api=<TEXT> Namespaces.");
    expect(lines.join("\n")).not.toContain("reorg");
    expect(lines).toContain("  core transport-http");
  });

  it("has a line for each command, and one for the commands of a topic", () => {
    const help = formatOverview(schema.all(), [
      {
        id: "up",
        summary: `Runs a network: makes what is missing, ${"starts nodes, ".repeat(9)}`,
      },
      { id: "up stop", summary: "Stops it." },
      { id: "db verify", summary: "Checks." },
      { id: "db backup", summary: "Copies." },
    ]);

    expect(help).toMatch(
      /\n {2}db {2}backup, verify\n {2}up {2}Runs a network: makes what is missing, .*\n\n/,
    );
    expect(Math.max(...help.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  });
});
