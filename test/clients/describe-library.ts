import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, POOR, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";
import { isMissing } from "./installed.js";
import { type Library, openLibrary } from "./library.js";

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
const SUPPLY = 1_000_000n;
const SAFE_OPENS = 4_102_444_800n;

/** A chain with free gas. */
const FREE_GENESIS = {
  config: { chainId: 1337, londonBlock: 0, zeroBaseFee: true, dev: {} },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x0",
  alloc: { [RICH.address]: { balance: "1000000000000000000000" } },
};

/** The differences between the libraries. */
export interface LibrarySettings {
  /** The package to install, if its name differs from the client's. */
  readonly installed?: string;
  /** The library's names of the two rejections that programs must distinguish. */
  readonly nonceTooLow: string;
  readonly insufficientFunds: string;
  /**
   * It is a program that exits after each call, and keeps neither filters nor more than one
   * subscription.
   */
  readonly isProgram?: boolean;
}

/** The tests that every client library must pass against a development chain. */
export function describeLibrary(client: string, settings: LibrarySettings): void {
  const isSkipped = isMissing(client, settings.installed);
  describe.skipIf(isSkipped)(`a development chain seen by ${client}`, () => {
    let folder: TemporaryFolder;
    let node: RunningNode;
    let library: Library;

    beforeAll(async () => {
      folder = temporaryFolder();
      node = await startNode(["--profile=dev"], { folder: folder.path });
      library = await openLibrary(client, node, RICH);
    });

    afterAll(async () => {
      await library?.[Symbol.asyncDispose]();
      await node?.stop();
      folder?.[Symbol.dispose]();
    });

    async function deployToken() {
      const contract = readArtifact("Token");
      const address = await library.deploy(contract, [SUPPLY]);
      const call = (name: string, ...args: unknown[]) => ({ contract, address, name, args });
      return { contract, address, call };
    }

    async function balanceOf(address: string) {
      return BigInt(String(await node.rpc("eth_getBalance", [address, "latest"])));
    }

    it("deploys a token and transfers some of it", async () => {
      const { call } = await deployToken();

      await library.write(call("transfer", FRIEND.address, 25n));

      expect(await library.read(call("balanceOf", FRIEND.address))).toBe(25n);
      expect(await library.read(call("balanceOf", RICH.address))).toBe(SUPPLY - 25n);
      expect(await library.read(call("symbol"))).toBe("PTT");
    });

    it("estimates the gas that a transfer then needs", async () => {
      const { call } = await deployToken();
      const transfer = call("transfer", FRIEND.address, 25n);

      const estimated = await library.estimate(transfer);
      const used = await library.write(transfer);

      expect(estimated).toBeGreaterThanOrEqual(used);
      expect(estimated).toBeLessThan((used * 11n) / 10n);
    });

    it("pays the suggested gas price", async () => {
      await deployToken();
      const before = await balanceOf(FRIEND.address);

      await library.sendLegacy(FRIEND.address, 7n);

      expect(await balanceOf(FRIEND.address)).toBe(before + 7n);
    });

    it("reads the transfers of a token over HTTP", async () => {
      const { contract, address, call } = await deployToken();
      await deployToken();

      await library.write(call("transfer", FRIEND.address, 1n));
      await library.write(call("transfer", POOR.address, 2n));

      expect(await library.transfers(contract, address)).toEqual([
        { from: ZERO_ADDRESS, to: RICH.address, value: SUPPLY },
        { from: RICH.address, to: FRIEND.address, value: 1n },
        { from: RICH.address, to: POOR.address, value: 2n },
      ]);
    });

    it("receives transfers over a WebSocket subscription", async () => {
      const { contract, address, call } = await deployToken();
      const transfers = await library.subscribe(contract, address);
      const other = await deployToken();

      await library.write(other.call("transfer", POOR.address, 3n));
      await library.write(call("transfer", FRIEND.address, 4n));
      await library.write(call("transfer", FRIEND.address, 5n));

      const [first, second] = [await transfers.next(), await transfers.next()];
      expect([first.value, second.value]).toEqual([
        [{ from: RICH.address, to: FRIEND.address, value: 4n }],
        [{ from: RICH.address, to: FRIEND.address, value: 5n }],
      ]);
      await transfers.return?.();
      // Not every library reports a failed subscription.
    }, 20_000);

    it("decodes a custom error with its arguments", async () => {
      const { call } = await deployToken();
      const contract = readArtifact("Safe");
      const safe = await library.deploy(contract, [SAFE_OPENS]);

      expect(await library.revert({ contract, address: safe, name: "open", args: [] })).toEqual({
        name: "TooEarly",
        args: [SAFE_OPENS],
      });
      expect(await library.revert(call("transfer", FRIEND.address, SUPPLY + 1n))).toEqual({
        name: "ERC20InsufficientBalance",
        args: [RICH.address, SUPPLY, SUPPLY + 1n],
      });
    });

    if (settings.isProgram !== true) describeListening();

    function describeListening() {
      it("collects the logs of a contract with a filter", async () => {
        const { address, call } = await deployToken();
        const take = await library.filter(address);

        await library.write(call("transfer", FRIEND.address, 1n));
        await library.write(call("transfer", FRIEND.address, 2n));

        expect([await take(), await take()]).toEqual([2, 0]);
      });

      it("receives blocks and logs, including reverted ones", async () => {
        const { address, call } = await deployToken();
        const [logs, heads] = [await library.watchLogs(address), await library.watchHeads()];
        const start = Number(await node.rpc("eth_blockNumber"));
        const snapshot = await node.rpc("evm_snapshot");

        await library.write(call("transfer", FRIEND.address, 1n));
        await node.rpc("evm_revert", [snapshot]);
        await node.rpc("evm_mine");
        await library.write(call("transfer", FRIEND.address, 2n));

        const heard = [await logs.next(), await logs.next(), await logs.next()];
        expect(heard.map(({ value }) => value)).toEqual([
          [{ blockNumber: start + 1, removed: false }],
          [{ blockNumber: start + 1, removed: true }],
          [{ blockNumber: start + 2, removed: false }],
        ]);
        const seen = [(await heads.next()).value?.[0]];
        while (seen.at(-1) !== start + 2) seen.push((await heads.next()).value?.[0]);
        expect(seen[0]).toBe(start + 1);
        await logs.return?.();
        await heads.return?.();
      }, 20_000);
    }

    it("suggests sufficient fees", async () => {
      const { gasPrice, baseFee } = await library.fees();
      const before = await balanceOf(FRIEND.address);

      await library.send(FRIEND.address, 9n);

      expect(gasPrice).toBeGreaterThanOrEqual(baseFee ?? 0n);
      expect(await balanceOf(FRIEND.address)).toBe(before + 9n);
    });

    it("recognizes a nonce that is too low", async () => {
      await deployToken();

      const again = { from: RICH, to: FRIEND.address, value: 1n, nonce: 0 };

      expect(await library.refusal(again)).toBe(settings.nonceTooLow);
    });

    it.each([
      ["if it requests an estimate first", {}],
      ["if the gas is given", { gas: 21_000n }],
    ])("recognizes insufficient funds %s", async (_, gas) => {
      const tooMuch = { from: POOR, to: FRIEND.address, value: 1n, ...gas };

      expect(await library.refusal(tooMuch)).toBe(settings.insufficientFunds);
    });
  });

  describe.skipIf(isSkipped)(`a chain without fees seen by ${client}`, () => {
    it("costs nothing to use", async () => {
      using folder = temporaryFolder();
      const genesis = join(folder.path, "genesis.json");
      writeFileSync(genesis, JSON.stringify(FREE_GENESIS));
      await using node = await startNode(
        [`--genesis-file=${genesis}`, "--rpc-http-enabled", "--rpc-ws-enabled"],
        { folder: folder.path },
      );
      await using library = await openLibrary(client, node, RICH);

      await library.sendLegacy(FRIEND.address, 3n);
      await library.send(FRIEND.address, 4n);

      const { gasPrice, baseFee } = await library.fees();
      expect({ gasPrice, baseFee }).toEqual({ gasPrice: 0n, baseFee: 0n });
      expect(await node.rpc("eth_getBalance", [FRIEND.address, "latest"])).toBe("0x7");
    });
  });
}
