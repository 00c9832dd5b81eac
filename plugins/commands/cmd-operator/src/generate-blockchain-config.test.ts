import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defineEngine,
  definePlugin,
  hexToBytes,
  loadCrypto,
  type Plugin,
  t,
  toHex,
} from "@plinth/core";
import { extraDataCodecs } from "@plinth/core/consensus";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdOperator from "./index.js";

const ID = "operator generate-blockchain-config";
const KEYS = [
  "0x9481ee2b34196827e8c4807ae29c2675c15d3641e482ab81cc0bc3ef535755b426b9f5c474213df28a563fab0bf0830b455ee8955b3faac93075422a6abf160d",
  "f9dff57fc0bae7cba6577d82caf40cf6d266afc2a212775eb45c2188ab30aeed01e724daf4203649d4aa7e30717bfeeaf0b4c30b5d651bad39bcae8429759889",
];
const ADDRESSES = [
  "0xd5feb0fc5a54a89f97aeb34c3df15397c19f6dd2",
  "0xd6a9a4c886eb008ac307abdc1f38745c1dd13a88",
];

describe("operator generate-blockchain-config", () => {
  it("generates the keys of every node, and a genesis file with its validators in order", async () => {
    await using folder = await createFolder();
    const crypto = await loadCrypto();

    const { stdout } = await run(folder, aNetwork({ nodes: { generate: true, count: 3 } }));

    const { extraData } = await readGenesis(folder);
    const validators = qbftExtraData.decodeValidators(hexToBytes(extraData));
    const homes = await readdir(join(folder.to, "keys"));
    expect(homes.sort()).toEqual([...validators].sort());
    for (const address of validators) {
      const home = join(folder.to, "keys", address);
      const publicKey = await readFile(join(home, "key.pub"), "utf8");
      const privateKey = await readFile(join(home, "key.priv"), "utf8");
      expect(toHex(crypto.publicKeyOf(hexToBytes(privateKey)))).toBe(publicKey);
      expect(crypto.addressOf(hexToBytes(publicKey))).toBe(address);
      expect((await stat(join(home, "key.priv"))).mode & 0o777).toBe(0o600);
    }
    expect(stdout.split("\n")).toEqual([
      "Generating 3 nodes keys.",
      "Generating keypair for node 0.",
      "Generating keypair for node 1.",
      "Generating keypair for node 2.",
      "Generating QBFT extra data.",
      "Writing genesis file.",
      "",
    ]);
  });

  it("imports public keys in order, with or without 0x", async () => {
    await using folder = await createFolder();

    await run(folder, aNetwork({ config: { ibft2: {} }, nodes: { keys: KEYS } }));

    const { extraData } = await readGenesis(folder);
    expect(ibftExtraData.decodeValidators(hexToBytes(extraData))).toEqual(ADDRESSES);
    expect(await readdir(join(folder.to, "keys", ADDRESSES[1] ?? ""))).toEqual(["key.pub"]);
  });

  it("prefers IBFT 2.0 if a file names both engines", async () => {
    await using folder = await createFolder();

    const config = { qbft: { startBlock: 10 }, ibft2: {} };
    const { stdout } = await run(folder, aNetwork({ config, nodes: { keys: KEYS } }));

    expect(stdout).toContain("Generating IBFT extra data.");
  });

  it("keeps all of the input, its order and the notation of its numbers", async () => {
    await using folder = await createFolder();
    const text = `{ "genesis": { "zeta": 1.50, "config": { "chainId": 18446744073709551616, "qbft": {} },
      "extraData": "0x12", "alloc": { "2": { "balance": "1" }, "1": {} } },
      "blockchain": { "nodes": { "keys": [] } } }`;

    await run(folder, text);

    expect(await readFile(join(folder.to, "genesis.json"), "utf8")).toBe(
      [
        "{",
        '  "zeta" : 1.50,',
        '  "config" : {',
        '    "chainId" : 18446744073709551616,',
        '    "qbft" : { }',
        "  },",
        '  "extraData" : "0xe5a00000000000000000000000000000000000000000000000000000000000000000c0c080c0",',
        '  "alloc" : {',
        '    "2" : {',
        '      "balance" : "1"',
        "    },",
        '    "1" : { }',
        "  }",
        "}",
      ].join("\n"),
    );
  });

  it("adds no extra data and does not warn if no engine is named, as in Besu", async () => {
    await using folder = await createFolder();

    const config = { chainId: 1, discovery: {}, transitions: { qbft: [] } };
    const { stderr } = await run(folder, aNetwork({ config, nodes: { keys: KEYS } }));

    expect(await readGenesis(folder)).not.toHaveProperty("extraData");
    expect(stderr).toBe("");
  });

  it("writes the extra data of any engine with a codec", async () => {
    await using folder = await createFolder();

    const network = aNetwork({ config: { Turns: {} }, nodes: { keys: KEYS } });
    const { stdout, stderr } = await run(folder, network, {}, [turns, turnsCodec]);

    expect(await readGenesis(folder)).toHaveProperty("extraData", "0x02");
    expect(stdout).toContain("Generating TURNS extra data.");
    expect(stderr).toBe("");
  });

  it.each(["turns", "clique"])(
    "adds no extra data for %s, which has no codec, and names it in a warning",
    async (engine) => {
      await using folder = await createFolder();

      const network = aNetwork({ config: { [engine]: {} }, nodes: { keys: KEYS } });
      const { code, stderr } = await run(folder, network, {}, [turns]);

      expect(code).toBe(0);
      expect(await readGenesis(folder)).not.toHaveProperty("extraData");
      expect(stderr).toBe(
        `Warning: the genesis file has no extraData with the validators: no loaded plugin writes it for ${engine}. Add it by hand if the engine reads its validators there.\n`,
      );
    },
  );

  it("keeps the extra data of the input for an engine without a codec, and does not warn", async () => {
    await using folder = await createFolder();
    const genesis = { config: { turns: {} }, extraData: "0x1234" };
    const text = JSON.stringify({ genesis, blockchain: { nodes: { keys: KEYS } } });

    const { stderr } = await run(folder, text, {}, [turns]);

    expect(await readGenesis(folder)).toHaveProperty("extraData", "0x1234");
    expect(stderr).toBe("");
  });

  it("prefers an engine with a codec to one without", async () => {
    await using folder = await createFolder();

    const config = { clique: {}, qbft: {} };
    const { stdout } = await run(folder, aNetwork({ config, nodes: { keys: KEYS } }));

    expect(stdout).toContain("Generating QBFT extra data.");
  });

  it("generates keys of the other curve, and reports which nodes support it", async () => {
    await using folder = await createFolder();
    const config = { qbft: {}, ecCurve: "secp256r1" };

    const { stdout } = await run(folder, aNetwork({ config, nodes: { generate: true, count: 1 } }));

    expect(stdout).toContain("nodes that support secp256r1");
    expect(await readdir(join(folder.to, "keys"))).toHaveLength(1);
  });

  it("writes into an empty folder", async () => {
    await using folder = await createFolder();
    await mkdir(folder.to);

    await run(folder, aNetwork({ nodes: { keys: KEYS } }));

    expect((await readdir(folder.to)).sort()).toEqual(["genesis.json", "keys"]);
  });

  it.each<[string, string, string]>([
    ["no JSON", "{", "the config file is not JSON"],
    ["another JSON type", "[]", "expected an object"],
    ["no config section", '{"genesis":{}}', "Missing config section in config file"],
    [
      "an unknown curve",
      aNetwork({ config: { ecCurve: "abcd" }, nodes: {} }),
      "Invalid parameter for ecCurve in genesis config: abcd is not in the list of valid elliptic curves [secp256k1, secp256r1]",
    ],
    [
      "a key that is an object",
      aNetwork({ nodes: { keys: [{}] } }),
      "Invalid key json of type: OBJECT",
    ],
    [
      "a key that is a number",
      aNetwork({ nodes: { keys: [5] } }),
      "Invalid key json of type: NUMBER",
    ],
    [
      "a key that is too short",
      aNetwork({ nodes: { keys: ["0x1234"] } }),
      "0x1234 is not a valid public key for elliptic curve secp256k1",
    ],
    [
      "a key off the curve",
      aNetwork({ nodes: { keys: [`0x${"11".repeat(64)}`] } }),
      `0x${"11".repeat(64)} is not a valid public key for elliptic curve secp256k1`,
    ],
    [
      "a key twice",
      aNetwork({ nodes: { keys: [KEYS[0], KEYS[0]] } }),
      "blockchain.nodes.keys lists",
    ],
    ["keys that are not a list", aNetwork({ nodes: { keys: {} } }), "blockchain.nodes.keys is {}"],
    ["no count", aNetwork({ nodes: { generate: true } }), "blockchain.nodes.count is 0"],
    ["half a node", aNetwork({ nodes: { generate: true, count: 0.5 } }), "blockchain.nodes.count"],
    ["generate as text", aNetwork({ nodes: { generate: "true" } }), "blockchain.nodes.generate"],
  ])("rejects %s and writes nothing", async (_, text, message) => {
    await using folder = await createFolder();

    await expect(run(folder, text)).rejects.toMatchObject({
      name: "PlinthError",
      message: expect.stringContaining(message),
    });

    expect(await readdir(folder.path)).toEqual(["config.json"]);
  });

  it("never writes into a folder that is not empty", async () => {
    await using folder = await createFolder();
    await mkdir(folder.to);
    await writeFile(join(folder.to, "mine"), "");

    await expect(run(folder, aNetwork({ nodes: { keys: KEYS } }))).rejects.toMatchObject({
      code: "OUTPUT_EXISTS",
      message: expect.stringContaining("Output directory already exists."),
    });

    expect(await readdir(folder.to)).toEqual(["mine"]);
  });

  it.each<[string, (folder: Folder) => Promise<unknown>]>([
    ["that is a file", ({ to }) => writeFile(to, "")],
    ["without a parent", ({ path }) => rm(path, { recursive: true })],
  ])("reports an output folder %s", async (_, prepare) => {
    await using folder = await createFolder();
    const text = aNetwork({ nodes: { keys: KEYS } });
    await prepare(folder);

    await expect(run(folder, text)).rejects.toMatchObject({ code: "OUTPUT_UNWRITABLE" });
  });

  it.each([
    [{ publicKeyFileName: "key.priv" }, "Output file paths must be unique."],
    [{ genesisFileName: "../genesis.json" }, '"../genesis.json" is not the name of a file'],
  ])("rejects the names %o", async (flags, message) => {
    await using folder = await createFolder();

    await expect(run(folder, aNetwork({ nodes: {} }), flags)).rejects.toMatchObject({
      name: "PlinthError",
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ["config-file", { to: "x" }],
    ["to", { configFile: "x" }],
  ])("needs --%s", async (name, flags) => {
    await using node = await createTestNode({ plugins: [cmdOperator] });

    await expect(node.command(ID, { flags })).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringContaining(`Missing required option: '--${name}=`),
    });
  });

  it.each(["qbft", "turns"])(
    "rejects %s if no loaded plugin supports it, and writes nothing",
    async (engine) => {
      await using folder = await createFolder();
      await using node = await createTestNode({ plugins: [cmdOperator] });
      const files = {
        "/config": aNetwork({ config: { [engine]: {} }, nodes: { keys: KEYS } }),
      };

      const ended = node.command(ID, { flags: { configFile: "/config", to: folder.to }, files });

      await expect(ended).rejects.toMatchObject({
        code: "ENGINE_UNKNOWN",
        message: `no loaded plugin supports ${engine}, which the config file names`,
      });
      expect(await readdir(folder.path)).toEqual(["config.json"]);
    },
  );
});

/** Engines and codecs, with the keys and the precedence of the real ones. */
const engines = definePlugin({
  name: "engines",
  setup(node) {
    node.consensus.engine(anEngine("clique", 4));
    node.consensus.engine(anEngine("qbft", 3));
    node.consensus.engine(anEngine("ibft2", 2));
    node.contribute(extraDataCodecs, qbftExtraData);
    node.contribute(extraDataCodecs, ibftExtraData);
  },
});

/** An engine of a third party. */
const turns = definePlugin({
  name: "turns",
  setup: (node) => node.consensus.engine(anEngine("turns")),
});

/** Its extra data: the number of validators. */
const turnsCodec = definePlugin({
  name: "turns-codec",
  setup: (node) =>
    node.contribute(extraDataCodecs, {
      type: "TURNS_EXTRA_DATA",
      engine: "turns",
      encodeGenesis: ({ length }) => Uint8Array.of(length),
      decodeValidators: () => [],
    }),
});

/** An engine as the command sees it; it is never created. */
function anEngine(key: string, precedence?: number) {
  return defineEngine({
    key,
    settings: t.object({}),
    ...(precedence === undefined ? {} : { precedence }),
    create: () => {
      throw new Error(`the command must not create ${key}`);
    },
  });
}

function aNetwork({ config = { qbft: {} }, nodes }: { config?: object; nodes: object }): string {
  return JSON.stringify({ genesis: { config, alloc: {} }, blockchain: { nodes } });
}

async function run(
  folder: Folder,
  text: string,
  flags: Readonly<Record<string, string>> = {},
  plugins: readonly Plugin[] = [],
) {
  await using node = await createTestNode({ plugins: [cmdOperator, engines, ...plugins] });
  const configFile = "/config.json";
  return node.command(ID, {
    flags: { configFile, to: folder.to, ...flags },
    files: { [configFile]: text },
  });
}

async function readGenesis({ to }: Folder) {
  return JSON.parse(await readFile(join(to, "genesis.json"), "utf8"));
}

interface Folder extends AsyncDisposable {
  readonly path: string;
  readonly to: string;
}

async function createFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "plinth-operator-"));
  await writeFile(join(path, "config.json"), "");
  return {
    path,
    to: join(path, "network"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
