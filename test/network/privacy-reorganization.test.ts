import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cliqueGenesis, SIGNERS } from "../support/clique-chain.js";
import { until } from "./network-node.js";
import { creationOf, PrivacyNetwork, STORE_CODE, word } from "./privacy-network.js";
import { keyOf, RICH } from "./validator-network.js";

/** It takes some seconds; in short runs reorganizations are tested within one process. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const LIMIT_MS = 120_000;

describe("a reorganization among three nodes", () => {
  it.runIf(isLong)(
    "undoes private transactions with their blocks, and they are redone",
    {
      timeout: LIMIT_MS,
    },
    async () => {
      await using network = await PrivacyNetwork.start({ network: cliqueNetwork() });
      const signer = network.node(0);
      const addresses = network.managers.map((manager) => manager.key);
      const group = String(await signer.rpc("priv_createPrivacyGroup", [{ addresses }]));
      const data = creationOf(STORE_CODE);
      const deployed = await network.run(1, { nonce: 0, data, for: group });
      const to = deployed.contractAddress ?? "0x";
      await restartFromCopy();

      const { hash, blockNumber } = await network.run(1, {
        nonce: 1,
        to,
        data: word(5),
        for: group,
      });
      await network.receipt(2, hash);
      const [before, stored] = await Promise.all([
        network.root(2, group, deployed.blockNumber),
        network.root(2, group, blockNumber),
      ]);
      expect(stored).not.toBe(before);
      network.partition([0]);
      await signer.kill();
      restore();
      await signer.start();
      const old = await network.node(2).height();
      await until(async () => (await signer.height()) > old + 2, LIMIT_MS);
      const canonical = await signer.rpc("eth_getBlockByNumber", [blockNumber, false]);
      network.heal();

      const blockAt = (index: number) =>
        network.node(index).rpc("eth_getBlockByNumber", [blockNumber, false]);
      for (const index of [1, 2]) {
        await until(async () => hashOf(await blockAt(index)) === hashOf(canonical), LIMIT_MS);
      }
      for (const index of [0, 1, 2]) {
        const receipt = await network.receipt(index, hash);
        expect(Number(receipt?.blockNumber)).toBeGreaterThan(old);
        expect(await network.root(index, group, blockNumber)).toBe(before);
        expect(await network.root(index, group, receipt?.blockNumber)).toBe(stored);
      }

      /** The signer continues from here, as if it had not produced the later blocks. */
      async function restartFromCopy(): Promise<void> {
        await signer.kill("SIGTERM");
        cpSync(signer.file("data"), signer.file("copy"), { recursive: true });
        await signer.start();
      }
      function restore(): void {
        signer.wipe();
        cpSync(signer.file("copy"), signer.file("data"), { recursive: true });
      }
    },
  );
});

/** One signer, which produces a block per second, and three nodes beside it. */
function cliqueNetwork() {
  const [signer] = SIGNERS;
  const genesis = cliqueGenesis({
    signers: [signer],
    clique: { blockperiodseconds: 1 },
    alloc: { [RICH.address]: { balance: "0x200000000000000000000000000000000" } },
  });
  const keys = [`0x${Buffer.from(signer.key).toString("hex")}` as const, ...[2, 3, 4].map(keyOf)];
  return { given: { genesis, keys }, isGated: true };
}

function hashOf(block: unknown): unknown {
  return Object(block).hash;
}
