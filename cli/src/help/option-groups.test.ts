import { option } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { formatHelp } from "./help.js";

const schema = new OptionSchema();
schema.declare("core", { dataPath: option.path({ summary: "Folder of data.", default: "data" }) });
schema.declare("transport-http", {
  rpcHttpEnabled: option.flag({ summary: "Serves HTTP." }),
  rpcHttpPort: option.port({ summary: "Port.", default: 8545, needs: "rpcHttpEnabled" }),
  XhttpTimeoutSeconds: option.integer({ summary: "Limit.", experimental: true }),
});

const install = { id: "plugins install", summary: "Installs a plugin." };

describe("help", () => {
  it("groups options by the plugin that declares them", () => {
    const help = formatHelp({ options: schema.all(), commands: [install], experimental: false });

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

  it("shows experimental options only when asked to", () => {
    const help = formatHelp({ options: schema.all(), commands: [install], experimental: true });

    expect(help).toContain("Options of transport-http:\n  --Xhttp-timeout-seconds=<INTEGER>");
    expect(help).not.toContain("--data-path");
  });

  it("wraps long lines", () => {
    const long = new OptionSchema();
    long.declare("core", { a: option.text({ summary: "word ".repeat(60).trim() }) });

    const help = formatHelp({ options: long.all(), commands: [], experimental: false });

    expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(105);
  });
});
