import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { freePort } from "../support/free-port.js";
import { GENESIS, ROOT, type RunningNode, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const MINIMAL = join(ROOT, "examples/minimal-node");

describe("examples/minimal-node", () => {
  it("serves with eight plugins and nothing else", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(
      [`--config-file=${MINIMAL}/plinth.toml`, `--genesis-file=${MINIMAL}/genesis.json`],
      // The only EVM among its plugins.
      { folder: folder.path, environment: { PLINTH_EVM: "plinth" } },
    );

    expect(await node.rpc("eth_chainId")).toBe("0x7ea");
    expect(await node.rpc("rpc_modules")).toEqual({ eth: "1.0", net: "1.0", web3: "1.0" });
  });

  it("has the plugins listed in its file", async () => {
    using folder = temporaryFolder();
    const words = [`--config-file=${MINIMAL}/plinth.toml`, "plugins", "order"];
    const { stdout } = await runProgram(words, { folder: folder.path });

    expect(stdout.trimEnd().split("\n")).toHaveLength(8);
  });
});

describe("examples/plugin-command", () => {
  it("is listed, described, completed and run like a command of the program", async () => {
    using folder = temporaryFolder();
    const config = folder.file("plinth.toml");
    const plugin = join(ROOT, "examples/plugin-command/dist/index.js");
    writeFileSync(
      config,
      `plugins = [${JSON.stringify(plugin)}]\ngenesis-file = ${JSON.stringify(GENESIS)}`,
    );
    const run = (...words: readonly string[]) =>
      runProgram([`--config-file=${config}`, ...words], { folder: folder.path });

    const [all, own, completion] = await Promise.all([
      run("--help=all"),
      run("count", "transactions", "--help"),
      run("generate-completion"),
    ]);
    const counted = await run("count", "transactions");

    expect(all.stdout).toContain("count transactions");
    expect(own.stdout).toMatch(/--from=<INTEGER>[\s\S]*EXAMPLES\n {2}\$ plinth --genesis-file/);
    expect(completion.stdout).toContain("\ncount:transactions --help --from");
    expect(counted).toEqual({ code: 0, stdout: "0 transactions\n", stderr: "" });
  });
});

describe("examples/embedded-node", () => {
  it("queries its own node twice", () => {
    const main = join(ROOT, "examples/embedded-node/main.mjs");

    expect(execFileSync(process.execPath, [main], { encoding: "utf8" })).toBe(
      "1: 0x7ea\n2: 0x2a\n",
    );
  });
});

/** `npm run long -- network` runs all of them. */
const NETWORKS = [
  ["private-clique-network", "Clique: 4 signers, up to 1 may be down while blocks are produced"],
  ["private-qbft-network", "QBFT: 4 validators, this node is one of them; 3 must agree"],
] as const;

describe.each(NETWORKS.slice(process.env.PLINTH_NETWORK === undefined ? 1 : 0))(
  "examples/%s",
  (example, line) => {
    const folder = join(ROOT, "examples", example);
    const names = ["one", "two", "three", "four"];
    const LIMIT_MS = 60_000;

    it(
      "produces blocks with four nodes, and without one of them",
      async () => {
        await using network = await startNetwork();
        const { nodes } = network;
        const areAt = (list: readonly RunningNode[], height: number) => async () =>
          (await Promise.all(list.map(heightOf))).every((each) => each >= height);
        await until(areAt(nodes, 3), LIMIT_MS);
        const [first, second, ...others] = nodes as [RunningNode, RunningNode, ...RunningNode[]];

        await first.stop("SIGKILL");
        const height = await heightOf(second);
        await until(areAt([second, ...others], height + 2), LIMIT_MS);

        expect(first.output()).toContain(line);
        const hashes = await Promise.all([second, ...others].map(findHash));
        expect(new Set(hashes).size).toBe(1);
      },
      3 * LIMIT_MS,
    );

    /** The nodes of the example, on free ports. */
    async function startNetwork() {
      const folders = names.map(() => temporaryFolder());
      const ports = await Promise.all(names.map(() => freePort()));
      const peers: readonly string[] = JSON.parse(
        readFileSync(join(folder, "static-nodes.json"), "utf8"),
      );
      const found = peers.map((enode, index) => enode.replace(/\d+$/, String(ports[index])));
      const nodes = await Promise.all(
        folders.map((own, index) => {
          writeFileSync(own.file("static-nodes.json"), JSON.stringify(found));
          const words = [
            `--config-file=${join(folder, "node.toml")}`,
            `--genesis-file=${join(folder, "genesis.json")}`,
            `--static-nodes-file=${own.file("static-nodes.json")}`,
            `--node-private-key-file=${join(folder, "keys", `${names[index]}.key`)}`,
            `--p2p-port=${ports[index]}`,
          ];
          return startNode(words, {
            folder: own.path,
            environment: { PLINTH_P2P_ENABLED: "true" },
          });
        }),
      );
      return {
        nodes,
        async [Symbol.asyncDispose]() {
          for (const node of nodes) await node.stop();
          for (const own of folders) own[Symbol.dispose]();
        },
      };
    }

    const heightOf = async (node: RunningNode) => Number(await node.rpc("eth_blockNumber"));
    const findHash = async (node: RunningNode) =>
      Object(await node.rpc("eth_getBlockByNumber", ["0x3", false])).hash;
  },
);
