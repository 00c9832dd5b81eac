import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { until } from "./network-node.js";
import { creationOf, PrivacyNetwork, word } from "./privacy-network.js";

/** `npm run long -- privacy` kills a hundred times. */
const KILLS = Number(process.env.PLINTH_PRIVACY_KILLS ?? 3);
const LIMIT_MS = 120_000;
/** Returns its slot 0, or adds 1 to it. */
const COUNTER = "0x36600f5760005460005260206000f35b60005460010160005500";

describe("nodes and managers that are killed", () => {
  it(`end with equal private states, and lose and repeat nothing, after ${KILLS} kills`, {
    timeout: LIMIT_MS + KILLS * 60_000,
  }, async () => {
    await using network = await PrivacyNetwork.start();
    const addresses = network.managers.map((manager) => manager.key);
    const group = String(
      await network.node(0).rpc("priv_createPrivacyGroup", [{ addresses, name: "All" }]),
    );
    const deployed = await network.run(0, { nonce: 0, data: creationOf(COUNTER), for: group });
    const to = deployed.contractAddress ?? "0x";
    const load = new AbortController();
    const loading = sendUntil(load.signal);
    const random = createRandom(33);
    const below = (limit: number) => Math.floor(random() * limit);

    for (let kill = 0; kill < KILLS; kill++) {
      await new Promise((resolve) => setTimeout(resolve, below(1500)));
      const index = below(3);
      if (below(2) === 0) {
        await network.node(index).kill();
        await network.node(index).start();
      } else {
        await network.manager(index).stop("SIGKILL");
        await network.manager(index).start();
      }
    }
    await network.managersMet();
    load.abort();
    const sent = await loading;

    expect(sent).toBeGreaterThan(0);
    await until(async () => (await countAt(0)) === sent + 1, LIMIT_MS);
    const head = await network.node(0).rpc("eth_blockNumber");
    for (const index of [0, 1, 2]) {
      const node = network.node(index);
      await until(async () => (await node.height()) >= Number(head), LIMIT_MS);
      // A read waits for the private results of its block; a killed node may take longer.
      await until(async () => (await countAt(index)) === sent + 1, LIMIT_MS);
      const value = await node.rpc("priv_call", [group, { to, data: "0x" }, head]);
      expect(value).toBe(word(sent));
    }
    const roots = await Promise.all([0, 1, 2].map((at) => network.root(at, group, String(head))));
    expect(new Set(roots).size).toBe(1);

    /**
     * Sends one after the other; one that may not have arrived is sent again. Returns their number.
     */
    async function sendUntil(signal: AbortSignal): Promise<number> {
      let nonce = 1;
      while (!signal.aborted) {
        try {
          await network.send(0, { nonce, to, data: "0x01", for: group });
          await until(async () => (await countAt(0)) > nonce, 10_000);
          nonce += 1;
        } catch {
          // A node or a manager is down; its state is queried before the transaction is sent again.
          await new Promise((resolve) => setTimeout(resolve, 200));
          nonce = Math.max(nonce, await countAt(0).catch(() => nonce));
        }
      }
      await until(async () => (await countAt(0)) >= nonce, LIMIT_MS);
      return (await countAt(0)) - 1;
    }

    async function countAt(index: number): Promise<number> {
      const account = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
      const count = await network.node(index).rpc("priv_getTransactionCount", [account, group]);
      return Number(count);
    }
  });
});
