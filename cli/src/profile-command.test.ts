import { option } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { formatProfileHelp } from "./help/profile-help.js";
import { findProfileCommand, PROFILE_COMMANDS } from "./profile-command.js";

describe("a command that runs the node with a profile", () => {
  it.each([
    ["dev", ["--profile=dev-tools"]],
    ["dev --port 1", ["--profile=dev-tools", "--port", "1"]],
    ["--fresh=true dev --port=1", ["--profile=dev-tools", "--fresh=true", "--port=1"]],
  ])("is found in %s", (line, argv) => {
    expect(findProfileCommand(line.split(" "))?.argv).toEqual(argv);
  });

  it.each(["", "status", "--profile=dev", "rlp encode dev", "--identity dev"])(
    "is not found in '%s'",
    (line) => {
      expect(findProfileCommand(line.split(" "))).toBeUndefined();
    },
  );

  it("has a short help with its own option names, and examples", () => {
    const [dev] = PROFILE_COMMANDS;
    if (dev === undefined) throw new Error("there is no command");
    const schema = new OptionSchema();
    schema.declare("transport-http", {
      rpcHttpPort: option.port({ summary: "Port.", default: 8545, needs: "rpcHttpEnabled" }),
    });

    const help = formatProfileHelp(dev, (name) => schema.find(name));

    expect(help).toContain("  --port=<PORT>\n      Port. Default: 8545.\n  -h, --help");
    expect(help).toContain("Examples:\n  plinth dev\n");
  });
});
