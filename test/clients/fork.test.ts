import "../support/flat-states.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { startAnvil } from "./anvil.js";
import { readArtifact } from "./artifacts.js";
import { isMissing } from "./installed.js";
import { type Library, openLibrary } from "./library.js";

const SUPPLY = 1_000_000n;

/** What suites of Hardhat and Foundry do on forks, with the libraries that they use. */
describe.each([
  ["viem", "clone"],
  ["viem", "lazy"],
  ["ethers", "clone"],
  ["ethers", "lazy"],
])("a fork seen by %s, a %s one", (client, mode) => {
  describe.skipIf(isMissing(client))("that is installed", () => {
    const folders: TemporaryFolder[] = [];
    let network: RunningNode;
    let fork: RunningNode;
    let library: Library;
    let token: string;

    const call = (name: string, ...args: unknown[]) => ({
      contract: readArtifact("Token"),
      address: token,
      name,
      args,
    });

    beforeAll(async () => {
      folders.push(temporaryFolder(), temporaryFolder());
      const [one, two] = folders.map(({ path }) => path);
      network = await startNode(["dev"], { folder: one ?? "" });
      const first = await openLibrary(client, network, RICH);
      token = await first.deploy(readArtifact("Token"), [SUPPLY]);
      await first.write(call("transfer", FRIEND.address, 5n));
      await first[Symbol.asyncDispose]();
      const words = [`--fork-url=${network.url}`, `--fork-mode=${mode.toUpperCase()}`];
      fork = await startNode(["dev", ...words, "--no-storage-caching"], { folder: two ?? "" });
      library = await openLibrary(client, fork, RICH);
    });

    afterAll(async () => {
      await library?.[Symbol.asyncDispose]();
      await fork?.stop();
      await network?.stop();
      for (const folder of folders) folder[Symbol.dispose]();
    });

    it("has the balances of the network, and changes its own", async () => {
      const id = await fork.rpc("evm_snapshot");
      expect(await library.read(call("balanceOf", FRIEND.address))).toBe(5n);

      await library.write(call("transfer", FRIEND.address, 7n));

      expect(await library.read(call("balanceOf", FRIEND.address))).toBe(12n);
      expect(await fork.rpc("evm_revert", [id])).toBe(true);
      expect(await library.read(call("balanceOf", FRIEND.address))).toBe(5n);
    });

    it("has events from before and after the fork", async () => {
      await library.write(call("transfer", FRIEND.address, 9n));

      const values = (await library.transfers(readArtifact("Token"), token)).map(
        ({ value }) => value,
      );

      expect(values.slice(-2)).toEqual([5n, 9n]);
    });

    it("impersonates the holder of tokens, and is reset", async () => {
      await fork.rpc("anvil_impersonateAccount", [FRIEND.address]);
      // transfer(address,uint256)
      const to = RICH.address.slice(2).toLowerCase().padStart(64, "0");
      const data = `0xa9059cbb${to}${"1".padStart(64, "0")}`;
      await fork.rpc("eth_sendTransaction", [{ from: FRIEND.address, to: token, data }]);
      expect(await library.read(call("balanceOf", FRIEND.address))).not.toBe(5n);

      const { forkConfig } = Object(await fork.rpc("anvil_nodeInfo"));
      const forking = { jsonRpcUrl: network.url, blockNumber: forkConfig.forkBlockNumber };
      await fork.rpc("hardhat_reset", [{ forking }]);

      expect(await library.read(call("balanceOf", FRIEND.address))).toBe(5n);
    });
  });
});

describe.skipIf(isMissing("foundry", ".bin/anvil"))("a fork of Anvil", () => {
  it("is lazy, and has its contracts and blocks", async () => {
    using folder = temporaryFolder();
    await using anvil = await startAnvil();
    const from = RICH.address;
    // Stores 1 in slot 0 when it is created, and adds 1 to it when it is called.
    const data = "0x60016000556960005460010160005500600052600a6016f3";
    const hash = await anvil.rpc("eth_sendTransaction", [{ from, data }]);
    // Anvil returns before the block is there.
    await anvil.rpc("evm_mine");
    const receipt = Object(await anvil.rpc("eth_getTransactionReceipt", [hash]));
    const to = receipt.contractAddress;
    const words = ["dev", `--fork-url=${anvil.url}`, "--no-storage-caching"];
    await using node = await startNode(words, { folder: folder.path });

    expect(node.output()).toContain("Forking lazily, as the state cannot be cloned");
    await node.rpc("eth_sendTransaction", [{ from, to, gas: "0x186a0" }]);
    const slot = (rpc: typeof anvil.rpc) => rpc("eth_getStorageAt", [to, "0x0", "latest"]);

    expect(Number(await slot(node.rpc))).toBe(2);
    expect(Number(await slot(anvil.rpc))).toBe(1);
    expect(await node.rpc("eth_getTransactionReceipt", [hash])).toMatchObject({
      contractAddress: to,
      blockHash: receipt.blockHash,
    });
  });
});
