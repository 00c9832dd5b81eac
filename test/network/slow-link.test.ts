import { describe, expect, it } from "vitest";
import { report } from "../support/report.js";
import { openSlowLink } from "../support/slow-link.js";
import { startOnDev, until } from "./network-node.js";

const MINER = ["--miner-enabled", "--miner-coinbase=0xfe3b557e8fb62b89f4916b721be55ceb828dbd73"];

describe("a node whose only peer is 100 ms away, over a link that loses 2 % of its segments", () => {
  /** `npm run long -- network` runs it. */
  it.runIf(process.env.PLINTH_NETWORK !== undefined)("synchronizes", async () => {
    await using miner = await startOnDev({ words: MINER });
    await until(async () => Number(await miner.rpc("eth_blockNumber")) >= 10, 90_000);
    await miner.rpc("miner_stop");
    await using link = await openSlowLink(miner.port, { delayMs: 100, loss: 0.02 });
    await using node = await startOnDev({ words: ["--discovery-enabled=false"] });
    const enode = (await miner.enode()).replace(/@127\.0\.0\.1:\d+/, `@127.0.0.1:${link.port}`);

    await node.rpc("admin_addPeer", [enode]);

    const head = await miner.rpc("eth_getBlockByNumber", ["latest", false]);
    const isEqual = async () =>
      Object(await node.rpc("eth_getBlockByNumber", ["latest", false])).hash === Object(head).hash;
    report("milliseconds to synchronize over a slow link", [await until(isEqual, 60_000)]);
    expect(await node.peerCount()).toBe(1);
  });
});
