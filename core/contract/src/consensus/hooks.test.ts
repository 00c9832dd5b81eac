import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { expect, it } from "vitest";
import { definePlugin } from "../plugin/define-plugin.js";
import type { EngineSelected } from "./hooks.js";

it("lets a plugin reject an engine that it does not support", async () => {
  const seen: EngineSelected[] = [];
  const picky = definePlugin({
    name: "picky",
    setup: ({ hooks }) =>
      hooks.consensus.engineSelected.tap((event) => {
        seen.push(event);
        throw new Error("picky works on chains with eventual finality only");
      }),
  });

  await expect(createTestNode({ plugins: [picky] })).rejects.toThrow(
    "picky works on chains with eventual finality only",
  );
  expect(seen).toMatchObject([
    { engine: { finality: "instant" }, keys: ["dev"], genesis: DEV_GENESIS },
  ]);
});
