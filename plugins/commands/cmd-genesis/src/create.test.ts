import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, hexToBytes, loadCrypto } from "@plinth/core";
import { type GenesisTemplate, genesisTemplates } from "@plinth/core/consensus";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { DEV_ACCOUNTS } from "./dev-accounts.js";
import cmdGenesis from "./index.js";
import { findNetwork } from "./network.js";

/** An engine whose extra data contains the addresses of its validators. */
const template: GenesisTemplate = {
  engine: "turns",
  title: "Turns",
  forks: { londonBlock: 0 },
  settings: ({ periodSeconds }) => ({ seconds: periodSeconds }),
  members: { difficulty: "0x1" },
  encodeExtraData: (validators) => hexToBytes(`0x${validators.join("").replaceAll("0x", "")}`),
  namespace: "turns",
  voteMethod: "turns_vote",
  mayBeDown: (validators) => validators - 1,
};

const turns = definePlugin({
  name: "turns",
  setup: ({ contribute }) => contribute(genesisTemplates, template),
});

describe("genesis create", () => {
  it("writes a folder for each node, whose keys match the genesis file", async () => {
    await using folder = await createFolder();
    const crypto = await loadCrypto();

    await create({ to: folder.to, engine: "TURNS", nodes: 3, period: 5, basePort: 9000 });

    const genesis = await readJson(folder.to, "genesis.json");
    expect(genesis).toMatchObject({
      config: { chainId: 1337, londonBlock: 0, zeroBaseFee: true, turns: { seconds: 5 } },
      alloc: {},
    });
    const network = await findNetwork(folder.to);
    expect(network?.nodes.map(({ rpcPort, p2pPort }) => [rpcPort, p2pPort])).toEqual([
      [9000, 10_000],
      [9001, 10_001],
      [9002, 10_002],
    ]);
    for (const { name, address } of network?.nodes ?? []) {
      const key = await readFile(join(folder.to, name, "key"), "utf8");
      expect(crypto.addressOf(crypto.publicKeyOf(hexToBytes(key)))).toBe(address);
      expect((await stat(join(folder.to, name, "key"))).mode & 0o777).toBe(0o600);
      expect(await readJson(folder.to, name, "genesis.json")).toEqual(genesis);
      expect(await readJson(folder.to, name, "static-nodes.json")).toHaveLength(2);
    }
    expect(genesis.extraData).toBe(
      `0x${network?.nodes.map(({ address }) => address.slice(2)).join("")}`,
    );
  });

  it("lets pages of this machine call the nodes of this machine", async () => {
    await using folder = await createFolder();

    await create({ to: folder.to, engine: "turns", nodes: 1 });

    const config = await readFile(join(folder.to, "node1/plinth.toml"), "utf8");
    for (const option of ["rpc-http-cors-origins", "rpc-ws-origins"]) {
      const [, list = "[]"] = new RegExp(`^${option} = (.*)$`, "m").exec(config) ?? [];
      const allowed = JSON.parse(list).map((entry: string) => new RegExp(`^(?:${entry})$`));
      const isAllowed = (origin: string) => allowed.some((entry: RegExp) => entry.test(origin));
      expect(["http://localhost:5173", "http://127.0.0.1:3000"].map(isAllowed)).toEqual([
        true,
        true,
      ]);
      expect(["http://localhost.example", "https://app.example"].map(isAllowed)).toEqual([
        false,
        false,
      ]);
    }
  });

  it("gives every listener of every node its own port, and prints them", async () => {
    await using folder = await createFolder();

    const { stdout } = await create({ to: folder.to, nodes: 4, engine: "turns", basePort: 8545 });

    const configs = await Promise.all(
      [1, 2, 3, 4].map((node) => readFile(join(folder.to, `node${node}`, "plinth.toml"), "utf8")),
    );
    const portsOf = (text: string) =>
      [...text.matchAll(/^(?:# )?([a-z0-9-]+-port) = (\d+)$/gm)].map(([, name, port]) => [
        name,
        port,
      ]);
    const named = configs.flatMap(portsOf);
    expect(new Set(named.map(([name]) => name))).toEqual(
      new Set(["p2p-port", "rpc-http-port", "rpc-ws-port", "metrics-port", "graphql-http-port"]),
    );
    expect(new Set(named.map(([, port]) => port)).size).toBe(4 * 5);
    const readme = await readFile(join(folder.to, "README.md"), "utf8");
    const { enode = "" } = (await findNetwork(folder.to))?.nodes[0] ?? {};
    expect(configs[0]).toContain("discovery-enabled = true\n");
    expect(readme).toContain(`--genesis-file=${folder.to}/genesis.json --bootnodes=${enode} `);
    expect(configs[1]).toContain(`logging-file = "${join(folder.to, "node2/node.log")}"`);
    expect(stdout).toContain(
      [
        "  RPC                8545 to 8548",
        "  WebSocket          12545 to 12548",
        "  peers              9545 to 9548",
        "  metrics            14545 to 14548",
        "  GraphQL (off)      13545 to 13548",
      ].join("\n"),
    );
  });

  it("creates nodes for separate machines, with the paths they have there", async () => {
    await using folder = await createFolder();
    const hosts = ["10.0.0.1", "10.0.0.2"];

    const flags = { to: folder.to, nodes: 2, engine: "turns", hosts, home: "/var/lib/plinth" };
    const { stdout } = await create(flags);

    expect(stdout).toContain("README.md describes what to copy where");
    expect(stdout).not.toContain(" up starts it");

    const config = await readFile(join(folder.to, "node2/plinth.toml"), "utf8");
    expect(config).toContain('genesis-file = "/var/lib/plinth/genesis.json"');
    expect(config).toContain('p2p-interface = "0.0.0.0"');
    expect(config).not.toContain("origins");
    expect(config).toMatch(
      /rpc-http-port = 8545\n(.*\n)*rpc-ws-port = 8546\n(.*\n)*metrics-port = 9545\n/,
    );
    expect(await readJson(folder.to, "node2/static-nodes.json")).toEqual([
      expect.stringMatching(/@10\.0\.0\.1:30303$/),
    ]);
    const readme = await readFile(join(folder.to, "README.md"), "utf8");
    expect(readme).toContain("scp -r node2/. 10.0.0.2:/var/lib/plinth");
  });

  it("funds the named accounts, and those of the development chain on request", async () => {
    await using folder = await createFolder();
    const own = `0x${"ab".repeat(20)}`;

    await create({ to: folder.to, engine: "turns", fund: [own], devAccounts: true, gas: "paid" });

    const { alloc, config } = await readJson(folder.to, "genesis.json");
    expect(Object.keys(alloc)).toEqual([...DEV_ACCOUNTS, own]);
    expect(config).not.toHaveProperty("zeroBaseFee");
  });

  it.each([
    ["an unsupported engine", { engine: "raft" }, "loaded plugins support networks with turns"],
    ["too few hosts", { engine: "turns", hosts: ["10.0.0.1"] }, "1 hosts for 4 nodes"],
    [
      "one home for all nodes of this machine",
      { engine: "turns", home: "/x" },
      "--home needs --hosts",
    ],
    ["no folder", { engine: "turns", to: undefined }, "--to"],
  ])("rejects %s and writes nothing", async (_, flags, message) => {
    await using folder = await createFolder();

    await expect(create({ to: folder.to, ...flags })).rejects.toThrow(message);

    expect(await readdir(folder.path)).toEqual([]);
  });

  it("rejects a folder that is not empty", async () => {
    await using folder = await createFolder();
    await create({ to: folder.to, engine: "turns", nodes: 1 });
    const before = await readFile(join(folder.to, "node1/key"), "utf8");

    await expect(create({ to: folder.to, engine: "turns" })).rejects.toMatchObject({
      code: "OUTPUT_EXISTS",
    });

    expect(await readFile(join(folder.to, "node1/key"), "utf8")).toBe(before);
  });
});

describe("the accounts with published keys", () => {
  it("match those of the development chain", async () => {
    const path = new URL("../../../../cli/profiles/dev-genesis.json", import.meta.url);
    const { alloc } = JSON.parse(await readFile(path, "utf8"));
    const keyed = Object.entries(alloc).filter(([, account]) => "privateKey" in Object(account));

    expect(keyed.map(([address]) => `0x${address}`)).toEqual(DEV_ACCOUNTS);
  });
});

async function create(flags: Readonly<Record<string, unknown>>) {
  await using node = await createTestNode({ plugins: [cmdGenesis, turns] });
  return node.command("genesis create", { flags });
}

async function readJson(...path: readonly string[]) {
  return JSON.parse(await readFile(join(...path), "utf8"));
}

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "plinth-genesis-"));
  return {
    path,
    to: join(path, "network"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
