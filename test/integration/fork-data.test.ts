import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { type RunningNode, runProgram, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const RICH = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const OTHER = "0x00000000000000000000000000000000000000b0";
const KEY = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
/** Creates a contract that stores its call data, and returns it. */
const STORE = "0x6017600c60003960176000f336600f5760005460005260206000f35b60003560005500";
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
const BLOCKS = 20;
const LIMIT_MS = 60_000;
/** `npm run long -- tools` forks the data of every engine. */
const isLong = process.env.PLINTH_TOOLS !== undefined;
/** Usually another file system. */
const MEMORY = "/dev/shm";

/** The hash of every file in a folder, by its path. */
function hashesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    files.map((name) => {
      const path = join(folder, name);
      const isFile = statSync(path).isFile();
      const hash = isFile ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
      return [name, hash];
    }),
  );
}

describe("a fork of the data of a QBFT node", { timeout: LIMIT_MS }, () => {
  let folder: TemporaryFolder;
  let genesis: string;
  let source: string;
  const startNetwork = () =>
    startNode(
      [
        `--genesis-file=${genesis}`,
        `--node-private-key-file=${folder.file("network/node1/key")}`,
        "--rpc-http-enabled",
      ],
      { folder: folder.path },
    );
  const fork = (own: TemporaryFolder, ...words: readonly string[]) =>
    startNode(["dev", `--genesis-file=${genesis}`, "--dev-auto-impersonate", ...words], {
      folder: own.path,
    });
  beforeAll(async () => {
    folder = temporaryFolder();
    const flags = ["--to=network", "--engine=qbft", "--nodes=1", "--base-port=0", "--dev-accounts"];
    await runProgram(["genesis", "create", ...flags], { folder: folder.path });
    genesis = folder.file("network/genesis.json");
    const json = JSON.parse(readFileSync(genesis, "utf8"));
    json.config.qbft.xblockperiodmilliseconds = 50;
    writeFileSync(genesis, JSON.stringify(json));
    const node = await startNetwork();
    source = folder.file("data");
    await until(async () => (await numberOf(node)) >= BLOCKS, LIMIT_MS);
    await node.stop();
  }, LIMIT_MS);
  afterAll(() => folder[Symbol.dispose]());

  it("continues its blocks and never changes its files, also if it is killed", async () => {
    using own = temporaryFolder();
    const before = hashesIn(source);

    const forked = await fork(own, `--fork-data=${source}`);
    const last = await numberOf(forked);
    const block = Object(await forked.rpc("eth_getBlockByNumber", ["0xa", false]));
    await forked.rpc("eth_sendTransaction", [{ from: RICH, to: OTHER, value: "0x5" }]);
    const { forkConfig } = Object(await forked.rpc("anvil_nodeInfo"));
    await forked.stop("SIGKILL");
    const again = await fork(own);
    const verified = await (async () => {
      expect(await again.rpc("eth_getBalance", [OTHER, "latest"])).toBe("0x5");
      expect(await numberOf(again)).toBe(last + 1);
      expect(await again.rpc("eth_getBlockByNumber", ["0xa", false])).toEqual(block);
      expect(await again.rpc("hardhat_reset")).toBe(true);
      expect(await numberOf(again)).toBe(last);
      await again.stop();
      const environment = { PLINTH_DATA_PATH: own.file("data") };
      const words = ["--profile=dev-tools", `--genesis-file=${genesis}`, "db", "verify", "--full"];
      return runProgram(words, { folder: own.path, environment });
    })();

    expect(last).toBeGreaterThanOrEqual(BLOCKS);
    expect(forkConfig).toMatchObject({ forkUrl: source, forkBlockNumber: last });
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("Intact") });
    expect(hashesIn(source)).toEqual(before);
    // The node continues as if nothing had happened.
    await using node = await startNetwork();
    await until(async () => (await numberOf(node)) > last, LIMIT_MS);
    expect(await node.rpc("eth_getBalance", [OTHER, "latest"])).toBe("0x0");
  });

  it("is rejected while the node runs", async () => {
    using own = temporaryFolder();
    await using _node = await startNetwork();

    const { code, stderr } = await runProgram(
      ["dev", `--genesis-file=${genesis}`, `--fork-data=${source}`, "--data-path=data"],
      { folder: own.path },
    );

    expect(code).toBe(2);
    expect(stderr).toContain(
      `--fork-data: a node is running on ${source}; stop it, or fork a backup`,
    );
    expect(existsSync(own.file("data/database"))).toBe(false);
  });

  it("is completed after a kill, without what others left in the folder of the node", async () => {
    using own = temporaryFolder();
    using copy = temporaryFolder();
    const database = join(source, "database");
    for (const name of ["database", "payloads", "payloads.forking", ".copy-1-abcdef"]) {
      cpSync(database, copy.file(name), { recursive: true });
    }
    const option = `--fork-data=${copy.path}`;
    const killed = await fork(own, option);
    await killed.stop("SIGKILL");
    const before = hashesIn(copy.path);
    // A kill before the last database got its name.
    rmSync(own.file("data/database"), { recursive: true });

    await using forked = await fork(own, option);

    expect(await numberOf(forked)).toBeGreaterThanOrEqual(BLOCKS);
    expect(existsSync(own.file("data/payloads/CURRENT"))).toBe(true);
    expect(readdirSync(own.file("data")).filter((name) => /fork(ing)$|^\./.test(name))).toEqual([]);
    expect(hashesIn(copy.path)).toEqual(before);
  });

  it("is forgotten with --fresh", async () => {
    using own = temporaryFolder();
    const forked = await fork(own, `--fork-data=${source}`);
    await forked.stop();
    const words = ["dev", "--fork-url=http://127.0.0.1:1", "--data-path=data"];
    const { stderr } = await runProgram(words, { folder: own.path });
    expect(stderr).toContain("has the fork of a data folder, which --fork-url cannot continue");

    const fresh = await startNode(["dev", "--fresh"], { folder: own.path });
    await fresh.stop();

    expect(existsSync(own.file("data/fork-data.json"))).toBe(false);
    await using again = await startNode(["dev"], { folder: own.path });
    expect(await numberOf(again)).toBe(0);
  });

  it("is rejected inside of the backup, which stays", async () => {
    using own = temporaryFolder();
    const options = [`--genesis-file=${genesis}`, `--data-path=${source}`];
    await runProgram([...options, "db", "backup", own.file("backup")], { folder: own.path });
    const before = hashesIn(own.file("backup"));

    for (const path of ["backup", "backup/deep/er"]) {
      const words = ["dev", `--genesis-file=${genesis}`, "--fork-data=backup"];
      const { code, stderr } = await runProgram([...words, `--data-path=${path}`], {
        folder: own.path,
      });
      expect(code).toBe(2);
      expect(stderr).toContain("in which nothing is changed: --data-path=<PATH> names another");
    }

    expect(hashesIn(own.file("backup"))).toEqual(before);
  });

  it("is made of a backup", async () => {
    using own = temporaryFolder();
    const options = [`--genesis-file=${genesis}`, `--data-path=${source}`];
    await runProgram([...options, "db", "backup", own.file("backup")], { folder: own.path });

    await using forked = await fork(own, `--fork-data=${own.file("backup")}`);

    expect(await numberOf(forked)).toBeGreaterThanOrEqual(BLOCKS);
    await forked.rpc("eth_sendTransaction", [{ from: RICH, to: OTHER, value: "0x5" }]);
    expect(await forked.rpc("eth_getBalance", [OTHER, "latest"])).toBe("0x5");
  });

  it.runIf(existsSync(MEMORY) && statSync(MEMORY).dev !== statSync("/tmp").dev)(
    "is a copy on another file system, which is logged",
    async () => {
      const place = mkdtempSync(join(MEMORY, "plinth-fork-"));
      try {
        const words = ["dev", `--genesis-file=${genesis}`, `--fork-data=${source}`];
        const forked = await startNode(words, { folder: place });
        await forked.stop();

        expect(await forked.output()).toMatch(/cannot be linked here: \d+ files? .* copied/);
      } finally {
        rmSync(place, { recursive: true });
      }
    },
  );

  it.each<[string, readonly string[], string]>([
    ["no data folder", ["--fork-data=."], "has neither the folder database"],
    ["a node as well", ["--fork-data=.", "--fork-url=http://127.0.0.1:1"], "only one of both"],
    ["--fresh", ["--fork-data=.", "--fresh"], "--fresh would remove it"],
  ])("is rejected with %s", async (_, words, message) => {
    using own = temporaryFolder();

    const { code, stderr } = await runProgram(["dev", ...words, "--data-path=data"], {
      folder: own.path,
    });

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("is rejected in the folder of another chain, which stays", async () => {
    using own = temporaryFolder();
    const dev = await startNode(["dev"], { folder: own.path });
    await dev.stop();
    const before = hashesIn(own.file("data/database"));

    const words = ["dev", `--genesis-file=${genesis}`, `--fork-data=${source}`, "--data-path=data"];
    const { code, stderr } = await runProgram(words, { folder: own.path });

    expect(code).toBe(2);
    expect(stderr).toContain("has a chain that is not a fork of");
    expect(hashesIn(own.file("data/database"))).toEqual(before);
  });
});

describe("a fork of the data of another network", { timeout: LIMIT_MS }, () => {
  it.each(isLong ? ["ibft2", "clique"] : ["clique"])("has intact blocks: %s", async (engine) => {
    using folder = temporaryFolder();
    using own = temporaryFolder();
    const network = ["--to=network", "--nodes=1", "--period=1", "--base-port=0", "--dev-accounts"];
    await runProgram(["genesis", "create", `--engine=${engine}`, ...network], {
      folder: folder.path,
    });
    const genesis = `--genesis-file=${folder.file("network/genesis.json")}`;
    const key = "--node-private-key-file=network/node1/key";
    const node = await startNode([genesis, key, "--rpc-http-enabled"], { folder: folder.path });
    await until(async () => (await numberOf(node)) > 0, LIMIT_MS);
    await node.stop();

    const words = ["dev", genesis, `--fork-data=${folder.file("data")}`, "--dev-auto-impersonate"];
    const forked = await startNode(words, { folder: own.path });
    await forked.rpc("eth_sendTransaction", [{ from: RICH, to: OTHER, value: "0x5" }]);
    expect(await forked.rpc("eth_getBalance", [OTHER, "latest"])).toBe("0x5");
    await forked.stop();

    const options = ["--profile=dev-tools", genesis, `--data-path=${own.file("data")}`];
    expect(
      await runProgram([...options, "db", "verify", "--full"], { folder: own.path }),
    ).toMatchObject({ code: 0, stdout: expect.stringContaining("Intact") });
  });
});

describe("a fork of the data of a node with private transactions", { timeout: LIMIT_MS }, () => {
  it("has its private states with its keys, and adds to them", async () => {
    using folder = temporaryFolder();
    const run = (...words: readonly string[]) => runProgram(words, { folder: folder.path });
    const flags = ["--to=network", "--engine=qbft", "--nodes=1", "--base-port=0", "--dev-accounts"];
    await run("genesis", "create", ...flags);
    await run("enclave", "keygen", "--to=manager");
    const manager = 'url = "http://127.0.0.1:1/"\npeer-port = 0\nnode-port = 0\n';
    writeFileSync(folder.file("manager.toml"), `${manager}key-files = ["manager.key"]\n`);
    writeFileSync(folder.file("account"), KEY);
    const party = readFileSync(folder.file("manager.pub"), "utf8").trim();
    const genesis = `--genesis-file=${folder.file("network/genesis.json")}`;
    const privacy = [
      "--privacy-enabled",
      `--privacy-public-key-file=${folder.file("manager.pub")}`,
      `--enclave-config-file=${folder.file("manager.toml")}`,
      "--rpc-http-api=ETH,PRIV,EEA,PLINTH",
    ];
    const send = async (url: string, ...words: readonly string[]) => {
      const key = ["--key-file=account", `--private-for=${party}`, "--json", "--wait"];
      const sent = await run("privacy", "send", `--url=${url}`, ...key, ...words);
      expect(sent.stderr).toBe("");
      return JSON.parse(sent.stdout);
    };
    const node = await startNode(
      [genesis, "--node-private-key-file=network/node1/key", "--rpc-http-enabled", ...privacy],
      { folder: folder.path },
    );
    const { contractAddress, privacyGroupId } = await send(node.url, `--data=${STORE}`);
    await send(node.url, `--to=${contractAddress}`, `--data=${word(42)}`);
    await node.stop();
    const read = async (url: string) => {
      const words = [`--url=${url}`, `--group=${privacyGroupId}`, `--to=${contractAddress}`];
      return (await run("privacy", "call", ...words)).stdout.trim();
    };
    const before = hashesIn(folder.file("data"));

    using own = temporaryFolder();
    const words = ["dev", genesis, `--fork-data=${folder.file("data")}`, ...privacy];
    await using forked = await startNode(words, { folder: own.path });

    expect(await read(forked.url)).toBe(word(42));
    await send(forked.url, `--to=${contractAddress}`, `--data=${word(43)}`);
    expect(await read(forked.url)).toBe(word(43));
    expect(hashesIn(folder.file("data"))).toEqual(before);
  });
});

async function numberOf(node: RunningNode): Promise<number> {
  return Number(await node.rpc("eth_blockNumber"));
}
