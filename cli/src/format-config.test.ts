import { option, optionKinds } from "@plinth/core";
import { Configuration, type Layer, OptionSchema } from "@plinth/core/kernel";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { formatConfigJson, formatConfigToml, listConfig } from "./format-config.js";

const options = {
  zPort: option.port({ summary: "", default: 1 }),
  flag: option.flag({ summary: "" }),
  amount: option.wei({ summary: "" }),
  extra: option.hex({ summary: "" }),
  names: option.list({ summary: "", of: optionKinds.text() }),
  limits: option.map({ summary: "", of: optionKinds.integer() }),
  none: option.text({ summary: "" }),
};
const FLAGS = {
  "z-port": "4711",
  flag: "true",
  amount: "18446744073709551615",
  extra: "0x1234",
  names: 'a"b,c',
  limits: "x=1,y=2",
};

describe("the configuration as a file", () => {
  it("round-trips", () => {
    const { schema, config } = configure(textLayer(FLAGS));
    const file = parse(formatConfigToml(listConfig(schema, config)));

    const entries = Object.entries(file).map(
      ([name, value]) => [name, { value, label: "file" }] as const,
    );
    const again = configure({ source: "file", label: "file", entries: new Map(entries) });

    for (const key of Object.keys(options)) {
      expect(again.config.get(key)).toEqual(config.get(key));
      expect(again.config.isSet(key)).toBe(config.isSet(key));
    }
  });

  it("shows the source of set values, then the defaults as comments", () => {
    const { schema, config } = configure(textLayer({ flag: "true" }));

    expect(formatConfigToml(listConfig(schema, config)).split("\n")).toEqual([
      "flag = true  # command line: --flag",
      "",
      "# Defaults:",
      "# amount =",
      "# extra =",
      "# limits = []",
      "# names = []",
      "# none =",
      "# z-port = 1",
    ]);
  });
});

it("the configuration as an object has the value, its source and its status", () => {
  const { schema, config } = configure(textLayer({ names: "a,b" }));

  expect(JSON.parse(formatConfigJson(listConfig(schema, config)))).toMatchObject({
    names: { value: ["a", "b"], source: "command line", from: "--names", status: "served" },
    none: { value: null, source: "default", from: "default", status: "served" },
  });
});

function configure(layer: Layer) {
  const schema = new OptionSchema();
  schema.declare("test", options);
  return { schema, config: new Configuration(schema, [layer]) };
}

function textLayer(flags: Readonly<Record<string, string>>): Layer {
  const entries = Object.entries(flags).map(
    ([name, text]) => [name, { text, label: `--${name}` }] as const,
  );
  return { source: "command line", label: "command line", entries: new Map(entries) };
}
