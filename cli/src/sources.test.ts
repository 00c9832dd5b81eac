import { option } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { environmentLayer, fileLayer, findEither, findVariable } from "./sources.js";

describe("the environment", () => {
  it("prefers our prefix to that of Besu", () => {
    const environment = { PLINTH_IDENTITY: "ours", BESU_IDENTITY: "theirs", BESU_DATA_PATH: "x" };

    expect(findVariable("identity", environment)).toEqual({
      variable: "PLINTH_IDENTITY",
      text: "ours",
    });
    expect(findVariable("data-path", environment)?.variable).toBe("BESU_DATA_PATH");
  });

  it("counts an empty variable as set", () => {
    expect(findVariable("identity", { PLINTH_IDENTITY: "", BESU_IDENTITY: "x" })?.text).toBe("");
  });

  it("works for every alias and ignores unknown variables", () => {
    const schema = new OptionSchema();
    schema.declare("test", {
      api: option.text({ summary: "", aliases: ["apis"] }),
      XdnsEnabled: option.flag({ summary: "" }),
    });

    const { entries } = environmentLayer(schema, {
      PLINTH_APIS: "ETH",
      PLINTH_XDNS_ENABLED: "true",
      PLINTH_NOBODYS: "1",
    });

    expect([...entries.keys()]).toEqual(["apis", "Xdns-enabled"]);
  });

  it("may not specify a file that a flag specifies too", () => {
    const flags = new Map([["config-file", "a"]]);

    expect(() => findEither("config-file", flags, { BESU_CONFIG_FILE: "b" })).toThrow(
      "Both --config-file=a and BESU_CONFIG_FILE specified. Please specify only one.",
    );
    expect(findEither("config-file", flags, {})).toEqual({ text: "a" });
    expect(findEither("config-file", new Map(), {})).toBeUndefined();
  });
});

describe("a file", () => {
  const file = {
    path: "/etc/plinth/node.toml",
    folder: "/etc/plinth",
    label: "TOML configuration file",
    values: new Map<string, unknown>([
      ["plugins", ["x"]],
      ["identity", "a"],
    ]),
  };

  it("provides its options but not the keys about plugins", () => {
    expect([...fileLayer(file, "file").entries.keys()]).toEqual(["identity"]);
  });

  it("resolves paths relative to itself only as a profile", () => {
    expect(fileLayer(file, "profile").folder).toBe("/etc/plinth");
    expect(fileLayer(file, "file").folder).toBeUndefined();
  });
});
