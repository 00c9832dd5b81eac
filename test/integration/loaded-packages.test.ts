import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { ROOT, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

type Folder = ReturnType<typeof temporaryFolder>;

/** V8's coverage of the modules of a process and of its threads. */
function listPackages(folder: Folder): readonly string[] {
  const urls = readdirSync(folder.file("coverage"))
    .map((name) => JSON.parse(readFileSync(join(folder.file("coverage"), name), "utf8")))
    .flatMap(({ result }: { result: readonly { url: string }[] }) => result.map(({ url }) => url));
  const names = urls.flatMap((url) => [url, ...joinedIn(url)]).map(packageOf);
  return [...new Set(names.flatMap((name) => name ?? []))].sort();
}

function packageOf(path: string): string | undefined {
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path)?.[1];
  return library ?? /\/(?:kits|plugins\/[^/]+)\/([^/]+)\/dist\/(?!api\.js|chunk-)/.exec(path)?.[1];
}

/** The files that the build has bundled into one of the program. */
function joinedIn(url: string): readonly string[] {
  if (!url.startsWith("file:") || !url.includes("/cli/dist/")) return [];
  return JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")).sources;
}

/** The environment that makes a process write them when it ends. */
function watched(folder: Folder) {
  mkdirSync(folder.file("coverage"));
  return { NODE_V8_COVERAGE: folder.file("coverage") };
}

const LIBRARIES = ["@oclif/core", "cosmiconfig", "fastify", "mercurius", "@fastify/websocket"];

/** Our plugins and kits, and the libraries of interest. */
function shown(packages: readonly string[]): readonly string[] {
  const kinds = readdirSync(join(ROOT, "plugins")).map((kind) => `plugins/${kind}`);
  const ours = new Set(["kits", ...kinds].flatMap((folder) => readdirSync(join(ROOT, folder))));
  return packages.filter((name) => ours.has(name) || LIBRARIES.includes(name));
}

/** The plugins of every node: its drivers, the network, and those involved in all calls. */
const EVERY_NODE = [
  ...["authentication", "blobs-kzg", "cosmiconfig", "disk-usage", "evm-plinth", "keys-file"],
  ...["kit-http", "kit-index"],
  ...["kit-precompiles", "kit-snappy", "log-index", "network-devp2p", "networks-ethereum"],
  "query-threads",
  ...["protocol-eth", "request-log", "rpc-rpc", "storage-level", "sync-full", "transport-http"],
];
/** The namespace eth, with methods of Ethash for chains without proof of work. */
const ETH = ["consensus-ethash", "kit-rpc", "rpc-eth"];

describe("the packages that are loaded", () => {
  it("by a command are those that it uses", async () => {
    using folder = temporaryFolder();
    const { code } = await runProgram(["rlp", "encode", "--type=QBFT_EXTRA_DATA"], {
      folder: folder.path,
      environment: watched(folder),
      input: "[]",
    });

    expect(code).toBe(0);
    expect(shown(listPackages(folder))).toEqual([
      "@oclif/core",
      "cmd-rlp",
      "consensus-ibft",
      "consensus-qbft",
      "cosmiconfig",
      "kit-bft",
      "kit-poa",
    ]);
  });

  it("by --help include no plugins", async () => {
    using folder = temporaryFolder();
    const environment = watched(folder);
    const { code, stdout } = await runProgram(["--help=all"], { folder: folder.path, environment });

    expect(code).toBe(0);
    expect(stdout).toContain("--privacy-enabled");
    expect(shown(listPackages(folder))).toEqual(["cosmiconfig"]);
  });

  it("by a Clique node include neither other engines nor private transactions nor GraphQL", async () => {
    using folder = temporaryFolder();
    const example = join(ROOT, "examples", "private-clique-network");
    const words = [
      `--genesis-file=${join(example, "genesis.json")}`,
      `--node-private-key-file=${join(example, "keys", "one.key")}`,
      "--rpc-http-enabled",
      "--rpc-http-api=ETH,NET,CLIQUE,ADMIN",
    ];
    const environment = watched(folder);
    const node = await startNode(words, { folder: folder.path, environment });
    expect(await node.rpc("clique_getSigners")).toHaveLength(4);
    await expect(node.rpc("qbft_getValidatorsByBlockNumber", ["latest"])).rejects.toMatchObject({
      code: -32604,
    });
    await expect(node.rpc("qbft_nothing")).rejects.toMatchObject({ code: -32601 });
    await node.stop();

    expect(shown(listPackages(folder))).toEqual(
      [
        ...[...EVERY_NODE, ...ETH],
        ...["consensus-clique", "kit-poa", "rpc-admin", "rpc-clique", "rpc-net"],
      ].sort(),
    );
  });

  it("by a validator with private transactions are those of its engine and its manager", async () => {
    using folder = temporaryFolder();
    const example = join(ROOT, "examples", "private-qbft-network");
    await runProgram(["enclave", "keygen", `--to=${folder.file("a")}`], { folder: folder.path });
    const [peerPort, nodePort] = [await freePort(), await freePort()];
    writeFileSync(
      folder.file("enclave.toml"),
      `url = "http://127.0.0.1:${peerPort}/"\npeer-port = ${peerPort}\nnode-port = ${nodePort}\nkey-files = ["a.key"]\n`,
    );
    const words = [
      `--genesis-file=${join(example, "genesis.json")}`,
      `--node-private-key-file=${join(example, "keys", "one.key")}`,
      "--rpc-http-enabled",
      "--rpc-http-api=ETH,QBFT,EEA,PRIV",
      "--min-gas-price=0",
      "--privacy-enabled",
      `--privacy-public-key-file=${folder.file("a.pub")}`,
      `--enclave-config-file=${folder.file("enclave.toml")}`,
    ];
    const environment = watched(folder);
    const node = await startNode(words, { folder: folder.path, environment });
    expect(await node.rpc("priv_getPrivacyPrecompileAddress")).toMatch(/7e$/);
    await node.stop();

    expect(shown(listPackages(folder))).toEqual(
      [
        ...[...EVERY_NODE, ...ETH],
        ...["consensus-qbft", "kit-bft", "kit-poa", "rpc-qbft"],
        ...["enclave", "enclave-tessera", "kit-enclave", "privacy", "rpc-eea"],
        ...["kit-trace", "rpc-priv"],
      ].sort(),
    );
  });

  it("by a development chain", async () => {
    using folder = temporaryFolder();
    const environment = watched(folder);
    const node = await startNode(["dev"], { folder: folder.path, environment });
    expect(await node.rpc("anvil_nodeInfo")).toHaveProperty("currentBlockNumber");
    await node.stop();

    expect(shown(listPackages(folder))).toEqual(
      [
        ...[...EVERY_NODE, ...ETH],
        ...["consensus-dev", "dev-console", "dev-fork", "dev-genesis"],
        ...["kit-trace", "rpc-debug", "rpc-dev"],
        ...[
          "metrics-prometheus",
          "rpc-miner",
          "rpc-net",
          "rpc-plinth",
          "rpc-subscribe",
          "rpc-trace",
          "rpc-txpool",
        ],
        ...["address-index", "rpc-ots", "rpc-web3", "transport-ws"],
        ...["explorer", "fastify"],
      ].sort(),
    );
  });

  it("are sufficient: metrics that are not exported, warnings about the genesis file, callable methods", async () => {
    using folder = temporaryFolder();
    const example = join(ROOT, "examples", "private-clique-network", "genesis.json");
    const json = JSON.parse(readFileSync(example, "utf8"));
    json.config.chainId = 1;
    writeFileSync(folder.file("genesis.json"), JSON.stringify(json));
    const words = [
      `--genesis-file=${folder.file("genesis.json")}`,
      "--rpc-http-enabled",
      "--rpc-http-api=DEBUG,PLINTH",
    ];
    const node = await startNode(words, { folder: folder.path });
    const metrics = await node.rpc("debug_metrics");
    const described = await node.rpc("rpc_discover");
    await node.stop();

    expect(metrics).toMatchObject({ ethereum: { blockchain_height: 0 } });
    expect(node.output()).toContain("config.chainId is 1, that of Ethereum");
    expect(JSON.stringify(described)).toContain('"plinth_status"');
    expect(JSON.stringify(described)).not.toContain("plinth_privacyStatus");
  });
});
