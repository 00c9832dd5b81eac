import "../support/flat-states.js";
import rpcDebug from "@plinth/plugin-rpc-debug";
import { createTestNode, DEV_GENESIS, type TestNode, transfer } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram, startNode } from "../support/program.js";
import { type Served, serve } from "../support/served-node.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- crashes` kills 200 times. */
const KILLS = Number(process.env.PLINTH_FORK_CRASHES ?? 3);
const LIMIT_MS = 60_000 + KILLS * 15_000;
const SLOTS = 300;
const STORE = "0x00000000000000000000000000000000000000cc";
/** Adds 1 to slot 0. */
const ADD_ONE = "0x60005460010160005500";
const FROM = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

const hexOf = (value: number) => `0x${value.toString(16)}`;
const wordOf = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
/** Slot 0 counts calls. */
const startOf = (slot: number) => (slot === 0 ? 0 : slot ** 3 + 7);

const storage = Object.fromEntries(
  Array.from({ length: SLOTS }, (_, slot) => [wordOf(slot), wordOf(startOf(slot))]),
);

let remote: TestNode;
let served: Served;
beforeAll(async () => {
  const alloc = { ...DEV_GENESIS.alloc, [STORE]: { code: ADD_ONE, storage } };
  remote = await createTestNode({ plugins: [rpcDebug], genesis: { ...DEV_GENESIS, alloc } });
  await remote.mine([transfer()]);
  served = await serve(remote);
});
afterAll(async () => {
  served[Symbol.dispose]();
  await remote.stop();
});

describe("a lazy fork that is killed", () => {
  it(`has the right values after ${KILLS} kills, as do others with its cache`, {
    timeout: LIMIT_MS,
  }, async () => {
    using folder = temporaryFolder();
    const cache = folder.file("cache");
    const words = ["dev", `--fork-url=${served.url}`, "--fork-mode=LAZY"];
    const settings = { folder: folder.path };
    const cached = [...words, `--fork-cache-path=${cache}`, "--rpc-ws-enabled=false"];
    let random = 11;
    const next = (below: number) => {
      random = (random * 75 + 74) % 65_537;
      return random % below;
    };
    let sent = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const node = await startNode(cached, settings);
      const counted = Number(await node.rpc("eth_getStorageAt", [STORE, "0x0", "latest"]));
      expect(counted).toBeGreaterThanOrEqual(sent);
      sent = counted;
      let left = next(40) + 1;
      await new Promise<void>((resolve) => {
        const ended = () => {
          if (--left === 0) resolve();
        };
        for (let count = 0; count < 40; count++) {
          const slot = next(SLOTS - 1) + 1;
          const read = node.rpc("eth_getStorageAt", [STORE, hexOf(slot), "latest"]);
          read.then((value) => expect(value).toBe(wordOf(startOf(slot)))).then(ended, ended);
          if (count % 10 !== 0) continue;
          const call = { from: FROM, to: STORE, gas: "0x186a0" };
          node.rpc("eth_sendTransaction", [call]).then(() => sent++, ended);
        }
      });
      await node.stop("SIGKILL");
    }

    const own = temporaryFolder();
    await using fresh = await startNode(cached, { folder: own.path });
    for (let slot = 1; slot < SLOTS; slot++) {
      const value = await fresh.rpc("eth_getStorageAt", [STORE, hexOf(slot), "latest"]);
      expect([slot, value]).toEqual([slot, wordOf(startOf(slot))]);
    }
    await fresh.stop();
    own[Symbol.dispose]();
    const verified = await runProgram(["--profile=dev-tools", "db", "verify", "--full"], {
      folder: folder.path,
      environment: { PLINTH_DATA_PATH: folder.file("data") },
    });
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("Intact") });
  });
});

describe("a lazy fork as a process", () => {
  it("runs calls and traces on threads, and lists its cache", async () => {
    using folder = temporaryFolder();
    const cache = folder.file("cache");
    const words = ["dev", `--fork-url=${served.url}`, `--fork-cache-path=${cache}`];
    await using node = await startNode([...words, "--fork-mode=LAZY"], { folder: folder.path });
    const call = { from: FROM, to: STORE };

    const traced = Object(await node.rpc("debug_traceCall", [call, "latest"]));
    await node.rpc("eth_sendTransaction", [{ ...call, gas: "0x186a0" }]);
    for (let count = 0; count < 5; count++) {
      expect(await node.rpc("eth_call", [call, "latest"])).toBe("0x");
    }
    const head = await node.rpc("eth_blockNumber");
    const [steps] = (await node.rpc("debug_traceBlockByNumber", [head])) as readonly unknown[];

    expect(traced.structLogs.map(({ op }: { op: string }) => op)).toContain("SSTORE");
    expect(Object(steps).structLogs.length).toBe(traced.structLogs.length);
    expect(node.output()).not.toContain("worker threads fail");
    const listed = await runProgram(["cache", "ls", `--folder=${cache}`], { folder: folder.path });
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("chain 1337, block 1"),
    });
    const cleaned = await runProgram(["cache", "clean", `--folder=${cache}`, "--chain-id=1337"], {
      folder: folder.path,
    });
    expect(cleaned).toMatchObject({ code: 0, stdout: expect.stringContaining("removed 1 block") });
    // What is here stays.
    expect(Number(await node.rpc("eth_getStorageAt", [STORE, "0x0", "latest"]))).toBe(1);
  });

  it("reports a transaction whose values cannot be read, and continues once they can", async () => {
    using folder = temporaryFolder();
    using relay = await serve(remote);
    const words = ["dev", `--fork-url=${relay.url}`, "--fork-mode=LAZY", "--no-storage-caching"];
    await using node = await startNode(words, { folder: folder.path });
    const head = await node.rpc("eth_blockNumber");
    relay.change(async () => {
      throw new Error("missing trie node");
    });

    await expect(
      node.rpc("eth_sendTransaction", [{ from: FROM, to: STORE, gas: "0x186a0" }]),
    ).rejects.toMatchObject({ message: expect.stringContaining(relay.url) });

    expect(await node.rpc("eth_blockNumber")).toBe(head);
    relay.change((_call, ask) => ask());
    await node.rpc("eth_sendTransaction", [{ from: FROM, to: STORE, gas: "0x186a0" }]);
    expect(Number(await node.rpc("eth_getStorageAt", [STORE, "0x0", "latest"]))).toBeGreaterThan(0);
  });
});
