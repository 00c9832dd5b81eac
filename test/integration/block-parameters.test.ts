import type { Codec } from "@plinth/core";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { registerShippedNode } from "../support/shipped-plugins.js";

const MEMBERS = ["fromBlock", "toBlock"];
const node = await registerShippedNode();
const params = node
  .methods()
  .flatMap(({ fullName, method }) =>
    Object.entries(method.params).map(([name, codec]) => ({ fullName, name, codec })),
  );
/** Block parameters: they accept tags, and not every text. */
const blocks = params.filter(({ codec }) => takes(codec, "latest") && !takes(codec, "tomorrow"));
/** Parameters that have blocks as members. */
const ranges = params.flatMap(({ codec, ...rest }) =>
  MEMBERS.filter((member) => takes(codec, { [member]: "latest" }))
    .filter((member) => !takes(codec, { [member]: "tomorrow" }))
    .map((member) => ({ ...rest, codec, member })),
);

describe("a JSON integer is a block number", () => {
  it("in every namespace that has some", () => {
    const namespaces = blocks.map(({ fullName }) => fullName.split("_")[0]);

    expect([...new Set(namespaces)].sort()).toEqual([
      "admin",
      "clique",
      "debug",
      "erigon",
      "eth",
      "ibft",
      "ots",
      "priv",
      "qbft",
      "trace",
    ]);
  });

  it.each(blocks.map((each) => [each.fullName, each.name, each.codec] as const))(
    "of %s: %s",
    (_, __, codec) => {
      expect(read(codec, 5)).toEqual(read(codec, "0x5"));
      expect(read(codec, "5")).toEqual(read(codec, "0x5"));
      expect(() => read(codec, 5.5)).toThrowError(/block/);
      expect(() => read(codec, 2 ** 60)).toThrowError(/block/);
    },
  );

  it.each(ranges.map((each) => [each.fullName, each.name, each.member, each.codec] as const))(
    "of %s: %s.%s",
    (_, __, member, codec) => {
      expect(read(codec, { [member]: 5 })).toEqual(read(codec, { [member]: "0x5" }));
      expect(read(codec, { [member]: "5" })).toEqual(read(codec, { [member]: "0x5" }));
    },
  );
});

function read(codec: Codec<unknown>, json: unknown): unknown {
  return codec.decode(json, "", COMPATIBILITIES.plinth.reading);
}

function takes(codec: Codec<unknown>, json: unknown): boolean {
  try {
    read(codec, json);
    return true;
  } catch {
    return false;
  }
}
