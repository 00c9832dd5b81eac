import { option, optionKinds } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { formatAll, formatExperimental, formatGroup } from "./option-groups.js";

const schema = new OptionSchema();
schema.declare("core", { dataPath: option.path({ summary: "Folder of data.", default: "data" }) });
schema.declare("transport-http", {
  rpcHttpEnabled: option.flag({ summary: "Serves HTTP." }),
  rpcHttpPort: option.port({ summary: "Port.", default: 8545, needs: "rpcHttpEnabled" }),
  XhttpTimeoutSeconds: option.integer({ summary: "Limit.", experimental: true }),
  XhttpUnmarked: option.flag({ summary: "Whether." }),
});

const install = { id: "plugins install", summary: "Installs a plugin." };

describe("all options", () => {
  it("are grouped by the plugin that declares them", () => {
    const help = formatAll({ options: schema.all(), commands: [install] });

    expect(help).toContain(
      "Options of core:\n  --data-path=<PATH>\n      Folder of data. Default: data.",
    );
    expect(help).toContain(
      "Options of transport-http:\n  --rpc-http-enabled[=<true|false>]\n      Serves HTTP.\n" +
        "  --rpc-http-port=<PORT>\n      Port. Default: 8545. Needs --rpc-http-enabled.",
    );
    expect(help).toContain("Commands:\n  plugins install\n      Installs a plugin.");
    expect(help).not.toContain("Xhttp");
  });

  it("are wrapped, long lists and choices too", () => {
    const long = new OptionSchema();
    const names = Array.from({ length: 40 }, (_, index) => `CHOICE${index}`);
    long.declare("core", {
      a: option.text({ summary: "word ".repeat(60).trim() }),
      b: option.list({ summary: "List.", of: optionKinds.text(), default: names }),
      c: option.oneOf(names, { summary: "One." }),
    });

    const help = formatAll({ options: long.all(), commands: [] });

    expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(105);
    expect(help.replace(/\n */g, "")).toContain(names.join(","));
  });
});

it("experimental options are declared so or start with X", () => {
  const help = formatExperimental(schema.all());

  expect(help).toContain("Options of transport-http:\n  --Xhttp-timeout-seconds=<INTEGER>");
  expect(help).toContain("--Xhttp-unmarked");
  expect(help).not.toContain("--data-path");
});

describe("a group of options", () => {
  it.each([
    ["transport-http", ["--rpc-http-enabled", "--rpc-http-port"], ["--data-path"]],
    ["http", ["--rpc-http-enabled", "--rpc-http-port"], ["--data-path"]],
    ["port", ["--rpc-http-port"], ["--rpc-http-enabled", "--data-path"]],
  ])("is found by %s", (word, shown, hidden) => {
    const help = formatGroup(word, schema.all());

    for (const name of shown) expect(help).toContain(`  ${name}`);
    for (const name of hidden) expect(help).not.toContain(`  ${name}`);
  });

  it("that does not exist is an error with the existing ones", () => {
    expect(() => formatGroup("cor", schema.all())).toThrow(
      expect.objectContaining({
        message:
          'there is no group "cor" and no option with it in its name; the groups are core, transport-http, and all',
        details: expect.objectContaining({ hints: ["Possible solutions: --help=core"] }),
      }),
    );
  });
});
