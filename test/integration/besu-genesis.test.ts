import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@plinth/core";
import { createNode } from "@plinth/node";
import { describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { runProgram, startNode } from "../support/program.js";
import { loadShippedPlugins } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CONFIG_ONLY = expect.stringContaining("neither `config` nor `difficulty` is present");
const GENESIS_FILES = join(CONFORMANCE, "genesis");
const TIME_LIMIT_MS = 120_000;
/** Templates have a placeholder for the extra data of the validators, which their tests fill in. */
const EXTRA_DATA: Readonly<Record<string, string>> = {
  ibft2: "0xe9a00000000000000000000000000000000000000000000000000000000000000000c0808400000000c0",
  qbft: "0xe5a00000000000000000000000000000000000000000000000000000000000000000c0c080c0",
};

describe.skipIf(isConformanceMissing)("genesis files of Besu", () => {
  it(
    "start, or are rejected for what they lack or for an unsupported setting",
    async () => {
      const outcomes: Record<string, string> = {};
      for (const file of findGenesisFiles()) outcomes[file] = await tryGenesis(file);

      const rejected = Object.entries(outcomes).filter(([, outcome]) => outcome !== "started");
      expect(Object.keys(outcomes).length - rejected.length).toBe(20);
      expect(Object.fromEntries(rejected)).toEqual({
        "besu-acceptance/crypto/secp256r1.json": expect.stringContaining(
          'config.ecCurve is "secp256r1"; only secp256k1 is supported',
        ),
        "besu-config/all_forks.json": expect.stringContaining("Ethereum Classic"),
        // These contain only the `config` object of other files.
        "besu-config/valid_config.json": CONFIG_ONLY,
        "besu-config/valid_config_with_custom_forks.json": CONFIG_ONLY,
        "besu-config/valid_config_with_etc_forks.json": CONFIG_ONLY,
        "besu-config/valid_config_with_migration_to_qbft.json": CONFIG_ONLY,
        "besu-config/valid_config_with_unexpected_forks.json": CONFIG_ONLY,
      });
    },
    TIME_LIMIT_MS,
  );
});

describe("a network created by operator generate-blockchain-config", () => {
  it.each([
    ["QBFT", "qbft"],
    ["IBFT 2.0", "ibft2"],
  ])("produces blocks with %s", async (_, engine) => {
    using folder = temporaryFolder();
    const to = folder.file("network");
    writeFileSync(folder.file("config.json"), JSON.stringify(aNetwork(engine)));

    const made = await runProgram(
      [
        "operator",
        "generate-blockchain-config",
        `--config-file=${folder.file("config.json")}`,
        `--to=${to}`,
      ],
      { folder: folder.path },
    );
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const [validator = ""] = readdirSync(join(to, "keys"));
    mkdirSync(folder.file("data"));
    copyFileSync(join(to, "keys", validator, "key.priv"), folder.file("data/key"));
    await using node = await startNode(
      [`--genesis-file=${join(to, "genesis.json")}`, "--rpc-http-enabled"],
      { folder: folder.path },
    );

    await until(async () => Number(await node.rpc("eth_blockNumber")) >= 1, TIME_LIMIT_MS);
    expect(node.output()).toContain("Produced #1 / 0 tx");
    expect(await node.rpc("eth_getBalance", [validator, "latest"])).toBe("0x0");
    expect(await node.rpc("eth_getBalance", [`0x${"11".repeat(20)}`, "latest"])).toBe("0x64");
  });
});

function aNetwork(engine: string): object {
  return {
    genesis: {
      config: {
        chainId: 1337,
        berlinBlock: 0,
        [engine]: { blockperiodseconds: 1, epochlength: 30_000, requesttimeoutseconds: 2 },
      },
      gasLimit: "0x1fffffffffffff",
      difficulty: "0x1",
      mixHash: "0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365",
      alloc: { [`0x${"11".repeat(20)}`]: { balance: "100" } },
    },
    blockchain: { nodes: { generate: true, count: 1 } },
  };
}

function findGenesisFiles(): readonly string[] {
  return readdirSync(GENESIS_FILES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json") && !file.endsWith("static-nodes.json"))
    .sort();
}

/** Starts a node with a genesis file; returns why it did not start. */
async function tryGenesis(file: string): Promise<string> {
  using folder = temporaryFolder();
  const text = readFileSync(join(GENESIS_FILES, file), "utf8");
  const engine = text.includes('"qbft"') ? "qbft" : "ibft2";
  const genesisFile = folder.file("genesis.json");
  writeFileSync(genesisFile, text.replace("%extraData%", EXTRA_DATA[engine] ?? ""));
  const node = await createNode({
    plugins: await loadShippedPlugins(),
    options: {
      genesisFile,
      dataPath: folder.file("data"),
      keyValueStorage: "memory",
      p2pEnabled: false,
    },
  });
  try {
    await node.start();
    return "started";
  } catch (error) {
    return messageOf(error);
  } finally {
    await node.stop("test");
  }
}
