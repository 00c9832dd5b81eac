import { Configuration, type Layer, OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { chooseVersions, options, readLimits, readRequiredBlocks } from "./options.js";

const HASH = `0x${"aB".repeat(32)}`;

describe("the offered versions of eth", () => {
  it.each([
    [[], [66, 67, 68, 69]],
    [["--Xeth-capability-min=68"], [68, 69]],
    [["--Xeth-capability-max=66"], [66]],
    [
      ["--Xeth-capability-min=67", "--Xeth-capability-max=68"],
      [67, 68],
    ],
  ])("are with %o: %o", (flags, versions) => {
    expect(chooseVersions(read(flags)).map(({ version }) => version)).toEqual(versions);
  });

  it("cannot be none", () => {
    expect(() => chooseVersions(read(["--Xeth-capability-min=70"]))).toThrow(
      "leave no version of eth; there are 66, 67, 68, 69",
    );
  });
});

describe("the limits of responses", () => {
  it("are Besu's by default", () => {
    expect(readLimits(read(["--Xewp-max-get-bodies=7"]))).toEqual({
      headers: 512,
      bodies: 7,
      receipts: 256,
      transactions: 256,
    });
  });
});

describe("required blocks", () => {
  it("are numbers with hashes in any letter case", () => {
    const { requiredBlocks } = read([`--required-blocks=100=${HASH}`]);

    expect(readRequiredBlocks(requiredBlocks)).toEqual(new Map([[100n, HASH.toLowerCase()]]));
  });

  it.each(["100", "100=0x12", `one=${HASH}`, `-1=${HASH}`])("are rejected: %s", (text) => {
    expect(() => read([`--required-block=${text}`])).toThrow("Invalid value for option");
  });
});

function read(flags: readonly string[]) {
  const schema = new OptionSchema();
  schema.declare("protocol-eth", options);
  const entries = flags.map((flag) => {
    const [, name = "", text = ""] = /^--([^=]+)=(.*)$/.exec(flag) ?? [];
    return [name, { text, label: flag }] as const;
  });
  const layer: Layer = { source: "command line", label: "flags", entries: new Map(entries) };
  return new Configuration(schema, [layer]).valuesOf(options);
}
