import { definePlugin, type PluginTable } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import { StandingProposals } from "./standing-proposals.js";

const B = `0x${"bb".repeat(20)}` as const;
const C = `0x${"cc".repeat(20)}` as const;

it("stand until they are discarded, also after a restart", async () => {
  let table: PluginTable | undefined;
  const keeper = definePlugin({
    name: "keeper",
    setup({ storage }) {
      table = storage.table("proposals");
    },
  });
  const open = () => {
    if (table === undefined) throw new Error("the plugin was not set up");
    return new StandingProposals(table);
  };
  await using node = await createTestNode({ plugins: [keeper] });
  const before = open();
  await before.propose({ candidate: C, kind: "add" });
  await before.propose({ candidate: B, kind: "add" });
  await before.propose({ candidate: B, kind: "drop" });

  await node.restart();

  const after = open();
  expect(await after.list()).toEqual([
    { candidate: B, kind: "drop" },
    { candidate: C, kind: "add" },
  ]);
  expect(await after.discard(C)).toBe(true);
  expect(await after.discard(C)).toBe(false);
  expect(await after.list()).toEqual([{ candidate: B, kind: "drop" }]);
});
