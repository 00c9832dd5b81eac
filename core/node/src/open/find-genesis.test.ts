import { definePlugin } from "@plinth/core";
import { namedNetworks } from "@plinth/core/genesis";
import { devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "../run/create-node.js";

const moon = definePlugin({
  name: "moon",
  setup: ({ contribute }) =>
    contribute(namedNetworks, {
      name: "moon",
      networkId: 17n,
      readGenesis: () => ({ config: { dev: {}, chainId: 4 } }),
    }),
});

async function start(options: Record<string, unknown>) {
  let seen: unknown;
  const inside = definePlugin({
    name: "inside",
    setup: ({ onStart }) =>
      onStart(({ chain, network }) => {
        seen = [chain.chainId, network.id];
      }),
  });
  const all = { keyValueStorage: "memory", ...options };
  const node = await createNode({ plugins: [moon, inside, ...devChain], options: all });
  await node.start();
  await node.stop();
  return seen;
}

describe("a network that is named", () => {
  it("provides its genesis file and its id, in any case", async () => {
    expect(await start({ network: "Moon" })).toEqual([4n, 17n]);
  });

  it("does not override an explicit id", async () => {
    expect(await start({ network: "moon", networkId: 5 })).toEqual([4n, 5n]);
  });

  it.each([
    ["that is unknown", { network: "mars" }, "NETWORK_UNKNOWN", "moon"],
    ["beside a file", { network: "moon", genesisFile: "a.json" }, "OPTION_INVALID", "same time"],
    ["nowhere", {}, "GENESIS_MISSING", "--genesis-file"],
  ])("is rejected if it is one %s", async (_, options, code, message) => {
    await expect(start(options)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});
