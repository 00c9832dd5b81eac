import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import snapshotJoin from "@plinth/plugin-snapshot-join";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, FakeClock, recordLogs, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { VECTORS } from "../support/conformance.js";
import { createDice } from "../support/mutate.js";
import { OWN, runSnapshot, SNAPSHOT_CHAINS, startSnapshotNode } from "../support/snapshot-chain.js";
import { writeSnapshot } from "../support/snapshot-of.js";
import { readAnswers } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- snapshots` runs 10,000. */
const MUTATIONS = Number(process.env.PLINTH_SNAPSHOT_MUTATIONS ?? 300);
const FROM = join(VECTORS, "besu-networks", "qbft-votes");
const GENESIS = JSON.parse(readFileSync(join(FROM, "genesis.json"), "utf8"));
/** A block without transactions: `debug_accountRange` needs the state before others. */
const HEAD = 17n;
const CONTRACT = "0xb3139589405f3a5327caf7781c68f3ee24488f7b";
const PLUGINS = [consensusQbft, rpcEth, rpcDebug, snapshotJoin];
const ZERO = `0x${"00".repeat(32)}`;

const folder = temporaryFolder();
const snapshot = folder.file("snapshot");
let original: {
  readonly chain: ReturnType<typeof readAnswers>;
  readonly results: readonly unknown[];
};
let files: readonly string[];
let stateRoot: string;

beforeAll(async () => {
  const dataPath = folder.file("original");
  {
    await using node = await startOn(dataPath, {});
    for (const block of readBlocks(join(FROM, "chain.blocks"))) {
      const { number } = block.header;
      if (number > 0n && number <= HEAD) await node.node.blocks.import(block, { origin: "peer" });
    }
    stateRoot = node.node.blocks.head().stateRoot;
    original = { chain: readAnswers(node.node), results: await ask(node) };
  }
  await writeSnapshot(dataPath, snapshot, { chainId: BigInt(GENESIS.config.chainId) });
  files = readdirSync(snapshot).sort();
});

afterAll(() => folder[Symbol.dispose]());

/** A node with its data in LevelDB. */
function startOn(dataPath: string, options: object, logs = recordLogs()): Promise<TestNode> {
  return createTestNode({
    plugins: [...PLUGINS, storageLevel],
    options: { keyValueStorage: "leveldb", dataPath, dataStorageFormat: "BONSAI", ...options },
    genesis: GENESIS,
    logs,
  });
}

/** A node with its data in memory. */
function startInMemory(places: readonly string[], more: object = {}, logs = recordLogs()) {
  return createTestNode({
    plugins: PLUGINS,
    options: { snapshot: places, dataStorageFormat: "BONSAI", ...more },
    genesis: GENESIS,
    logs,
  });
}

/** Results about the state of the head. */
function ask(node: TestNode): Promise<readonly unknown[]> {
  const [account] = Object.keys(GENESIS.alloc).map((address) => `0x${address}`);
  return Promise.all([
    node.rpc("eth_getBalance", [account, "latest"]),
    node.rpc("eth_getTransactionCount", [account, "latest"]),
    node.rpc("eth_getCode", [CONTRACT, "latest"]),
    node.rpc("eth_getStorageAt", [CONTRACT, "0x0", "latest"]),
    node.rpc("eth_getProof", [CONTRACT, ["0x0", "0x1"], "latest"]),
    node.rpc("debug_accountRange", ["latest", 0, ZERO, 1000]),
  ]);
}

/** Resolves in the next turn of the event loop. */
const turn = () => new Promise((done) => setImmediate(done));

/** Resolves once the node has all old blocks. */
async function untilWhole({ node }: TestNode): Promise<void> {
  while (node.blocks.firstRetained() > 0n) await turn();
}

/** A web server on a port of the system. */
async function serve(
  listener: RequestListener,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A copy of the snapshot with changed files. */
function changedCopy(change: (path: string) => void): string {
  const copy = folder.file(`changed-${Math.random().toString(36).slice(2)}`);
  cpSync(snapshot, copy, { recursive: true });
  change(copy);
  return copy;
}

describe("a node that joins by a snapshot", () => {
  it("from a folder has the same state, and later the same blocks", async () => {
    const dataPath = folder.file("from-folder");
    {
      await using node = await startOn(dataPath, { snapshot: [snapshot] });
      expect(node.node.blocks.head().number).toBe(HEAD);
      expect(await ask(node)).toEqual(original.results);
      await untilWhole(node);
      expect(readAnswers(node.node)).toEqual(original.chain);
    }
    const logs = recordLogs();
    await using again = await startOn(dataPath, { snapshot: [snapshot] }, logs);

    expect(await ask(again)).toEqual(original.results);
    expect(logs.entries.map(({ message }) => message)).toContain(
      `The node has joined its chain at block ${HEAD} before`,
    );
    await expect(again.rpc("eth_getBalance", [CONTRACT, "0x1"])).rejects.toMatchObject({
      message: `the state of block 1 is not here: this node joined the chain at block ${HEAD}, and has states from there on`,
    });
  });

  it("from a web server continues where an earlier start failed, file by file", async () => {
    const dataPath = folder.file("from-server");
    let failing = "";
    const requested: string[] = [];
    await using server = await serve((request, response) => {
      const name = request.url?.slice(1) ?? "";
      requested.push(name);
      if (name === failing) response.writeHead(500).end();
      else response.end(readFileSync(join(snapshot, name)));
    });
    const options = { snapshot: [server.url] };
    const joined = files.filter((name) => /^(headers|codes|state)-/.test(name));
    const byStep = ["headers", "codes", "state"].flatMap((kind) =>
      joined.filter((name) => name.startsWith(kind)),
    );
    for (const name of byStep) {
      failing = name;
      await expect(startOn(dataPath, options)).rejects.toMatchObject({
        code: "SNAPSHOT_UNREADABLE",
        message: expect.stringContaining(`${name} cannot be read from ${server.url}`),
      });
    }
    await expect(startOn(dataPath, {})).rejects.toMatchObject({ code: "JOIN_INCOMPLETE" });
    failing = "";
    requested.length = 0;
    await using node = await startOn(dataPath, options);

    expect(await ask(node)).toEqual(original.results);
    expect(requested.filter((name) => byStep.includes(name))).toEqual([byStep.at(-1)]);
  });

  it("shows in eth_syncing how many old blocks are missing", async () => {
    const old = files.filter((name) => name.startsWith("blocks-"));
    const held = new Map<string, () => void>();
    await using server = await serve((request, response) => {
      const name = request.url?.slice(1) ?? "";
      const send = () => response.end(readFileSync(join(snapshot, name)));
      if (name === old[0] || name === old[1]) held.set(name, send);
      else send();
    });
    await using node = await startInMemory([server.url]);
    const numbers = { startingBlock: "0x11", currentBlock: "0x11", highestBlock: "0x11" };
    const becomes = async (expected: unknown) => {
      while (!isDeepStrictEqual(await node.rpc("eth_syncing"), expected)) await turn();
    };
    const deliver = async (name = "") => {
      while (!held.has(name)) await turn();
      held.get(name)?.();
    };

    await becomes({ ...numbers, missingBlocks: "0x10" });
    await deliver(old[1]);
    await becomes({ ...numbers, missingBlocks: "0x8" });
    await deliver(old[0]);
    await becomes(false);
    expect(node.node.blocks.firstRetained()).toBe(0n);
  });

  it("reads a file that is wrong at one source from the next", async () => {
    const [name = ""] = files.filter((file) => file.startsWith("state-"));
    const cut = changedCopy((path) => writeFileSync(join(path, name), "cut"));
    const logs = recordLogs();
    await using node = await startInMemory([cut, snapshot], {}, logs);

    expect(await ask(node)).toEqual(original.results);
    const warnings = logs.entries.filter(({ level }) => level === "warn");
    expect(warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`${name} cannot be read from ${cut}: `),
    );
  });

  it("uses the next snapshot if one has no manifest or is of another block", async () => {
    const none = changedCopy((path) => rmSync(join(path, "manifest.json")));
    const other = changedCopy((path) =>
      edit(path, ({ block }) => ({ block: { ...block, hash: ZERO } })),
    );
    const hash = JSON.parse(readFileSync(join(snapshot, "manifest.json"), "utf8")).block.hash;
    await using node = await startInMemory([none, other, snapshot], {
      snapshotBlockHash: hash,
    });

    expect(node.node.blocks.head().hash).toBe(hash);
  });

  it("continues an interrupted start with a snapshot of the same block only", async () => {
    const dataPath = folder.file("interrupted");
    const [name = ""] = files.filter((file) => file.startsWith("state-"));
    const cut = changedCopy((path) => writeFileSync(join(path, name), "cut"));
    const foreign = changedCopy((path) => edit(path, () => ({ genesisHash: ZERO })));
    const other = changedCopy((path) =>
      edit(path, ({ block }) => ({ block: { ...block, hash: ZERO } })),
    );
    await expect(startOn(dataPath, { snapshot: [cut] })).rejects.toMatchObject({
      code: "SNAPSHOT_UNREADABLE",
    });
    await expect(startOn(dataPath, { snapshot: [other] })).rejects.toMatchObject({
      code: "SNAPSHOT_REFUSED",
      message: expect.stringContaining(`joining at block ${HEAD} (`),
    });
    await using node = await startOn(dataPath, { snapshot: [foreign, other, snapshot] });

    expect(await ask(node)).toEqual(original.results);
  });

  it("executes the blocks that follow", async () => {
    await using node = await startInMemory([snapshot]);
    const all = [...readBlocks(join(FROM, "chain.blocks"))];
    const later = all.slice(Number(HEAD) + 1, Number(HEAD) + 3);
    for (const block of later) await node.node.blocks.import(block, { origin: "peer" });

    expect(later).toHaveLength(2);
    expect(node.node.blocks.head().number).toBe(HEAD + 2n);
  });
});

describe.each(["qbft", "qbftContract", "ibft2", "ibft2ToQbft", "clique"] as const)(
  "a node of the chain %s",
  (name) => {
    it("joins by the snapshot of a running node, and follows it", async () => {
      const dataPath = folder.file(`running-${name}`);
      const target = folder.file(`snapshot-${name}`);
      const genesis = SNAPSHOT_CHAINS[name];
      const trustedValidators = name === "qbftContract" ? [OWN] : [];
      await using running = await startSnapshotNode(dataPath, name);
      const to = `0x${"b0".repeat(20)}` as const;
      for (let value = 1n; value <= 4n; value++) await running.add({ to, value });
      const created = await runSnapshot(dataPath, "create", { args: [target], genesis });
      await running.add({ to, value: 5n });
      const { blocks } = running.node.node;
      const head = blocks.head();
      const manifest: Json = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8"));

      await using node = await createTestNode({
        plugins: [consensusQbft, consensusIbft, consensusClique, rpcEth, snapshotJoin],
        options: { snapshot: [target], dataStorageFormat: "BONSAI", trustedValidators },
        genesis,
        clock: new FakeClock(Number(head.timestamp) * 1000),
      });
      const joined = node.node.blocks.head();
      expect([created.error, joined.hash]).toEqual([undefined, manifest.block.hash]);
      for (let number = joined.number + 1n; number <= head.number; number++) {
        const block = blocks.findBlock(number);
        if (block !== undefined) await node.node.blocks.import(block, { origin: "peer" });
      }

      expect(node.node.blocks.head().hash).toBe(head.hash);
      expect(await node.rpc("eth_getBalance", [to, "latest"])).toBe("0xf");
    });
  },
);

describe.each(["qbft-overrides", "ibft2-votes", "clique-votes"])(
  "a node of the network %s",
  (name) => {
    it("joins by a snapshot, and follows", async () => {
      const dataPath = folder.file(name);
      const target = folder.file(`snapshot-${name}`);
      const from = join(VECTORS, "besu-networks", name);
      const genesis = JSON.parse(readFileSync(join(from, "genesis.json"), "utf8"));
      const plugins = [consensusQbft, consensusIbft, consensusClique, snapshotJoin];
      const all = [...readBlocks(join(from, "chain.blocks"))].slice(1);
      const last = all.length - 2;
      {
        await using node = await createTestNode({
          plugins: [...plugins, storageLevel],
          options: { keyValueStorage: "leveldb", dataPath, dataStorageFormat: "BONSAI" },
          genesis,
        });
        for (const block of all.slice(0, last))
          await node.node.blocks.import(block, { origin: "peer" });
      }
      const created = await runSnapshot(dataPath, "create", { args: [target], genesis });

      await using node = await createTestNode({
        plugins,
        options: { snapshot: [target], dataStorageFormat: "BONSAI" },
        genesis,
      });
      const { blocks } = node.node;
      const joinedAt = Number(blocks.head().number);
      for (const block of all.slice(joinedAt)) await blocks.import(block, { origin: "peer" });

      expect(created.error).toBeUndefined();
      expect(joinedAt).toBeGreaterThan(last / 2);
      expect(blocks.head().number).toBe(BigInt(all.length));
    });
  },
);

describe("a snapshot is refused", () => {
  it.each<[string, (manifest: Json) => Partial<Json>, string]>([
    ["of another network", () => ({ genesisHash: ZERO }), "it is of another network"],
    ["of another chain id", () => ({ chainId: "0x1" }), "its chain id is 1"],
    ["with another root", ({ block }) => ({ block: { ...block, stateRoot: ZERO } }), "not 0x"],
    ["with another hash", ({ block }) => ({ block: { ...block, hash: ZERO } }), "not 0x00"],
    ["without blocks", without("blocks-"), `it has no body of block ${HEAD}`],
    ["without a code", without("codes-000000"), "is missing"],
  ])("%s", async (_, change, reason) => {
    const changed = changedCopy((path) => edit(path, change));

    await expect(startInMemory([changed])).rejects.toMatchObject({
      code: "SNAPSHOT_REFUSED",
      message: expect.stringContaining(reason),
    });
  });

  it("with another block than --snapshot-block-hash, and with FOREST", async () => {
    await expect(startInMemory([snapshot], { snapshotBlockHash: ZERO })).rejects.toMatchObject({
      code: "SNAPSHOT_REFUSED",
    });
    await expect(startInMemory([snapshot], { dataStorageFormat: "FOREST" })).rejects.toMatchObject({
      code: "JOIN_FORMAT",
    });
  });

  it("in a folder with a chain", async () => {
    await expect(startOn(folder.file("original"), { snapshot: [snapshot] })).rejects.toMatchObject({
      code: "SNAPSHOT_REFUSED",
    });
  });

  it(
    `with one byte changed, ${MUTATIONS} times`,
    async () => {
      const dice = createDice(1);
      const copy = changedCopy(() => {});
      const needed = files.filter(
        (name) =>
          !name.startsWith("blocks-") ||
          name === files.findLast((each) => each.startsWith("blocks-")),
      );
      for (let count = 0; count < MUTATIONS; count++) {
        const name = needed[dice(needed.length)] ?? "";
        const bytes = readFileSync(join(snapshot, name));
        const at = dice(bytes.length);
        const changed = bytes.map((byte, index) => (index === at ? byte ^ (1 << dice(8)) : byte));
        writeFileSync(join(copy, name), changed);
        const head = await startInMemory([copy]).then(
          async (node) => {
            await using started = node;
            return started.node.blocks.head().stateRoot;
          },
          () => undefined,
        );
        writeFileSync(join(copy, name), bytes);
        // Blanks of the manifest and old blocks do not matter for the state.
        if (name === "manifest.json" && head === stateRoot) continue;
        expect(head, `${name}, byte ${at}`).toBeUndefined();
      }
    },
    60_000 + MUTATIONS * 1_000,
  );
});

interface Json {
  readonly chainId: string;
  readonly genesisHash: string;
  readonly block: { readonly hash: string; readonly stateRoot: string };
  readonly files: readonly { readonly name: string }[];
}

/** Changes the manifest of a snapshot. */
function edit(path: string, change: (manifest: Json) => Partial<Json>): void {
  const file = join(path, "manifest.json");
  const manifest: Json = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...manifest, ...change(manifest) }));
}

/** A manifest without some of its files. */
function without(start: string): (manifest: Json) => Partial<Json> {
  return ({ files }) => ({ files: files.filter(({ name }) => !name.startsWith(start)) });
}
