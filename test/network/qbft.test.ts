import { describe, expect, it } from "vitest";
import { until } from "./network-node.js";
import { QbftNetwork } from "./qbft-network.js";

describe("four validators as processes", () => {
  it("make blocks, with one of them down too", async () => {
    await using network = await QbftNetwork.create({ validators: 4 });
    await network.startAll();
    const [first, second] = network.nodes;
    try {
      await until(async () => (await first!.height()) >= 5, 30_000);
    } finally {
      console.log(first!.output().slice(0, 6000));
    }
  });
});
