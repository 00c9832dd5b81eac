import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEV_PROFILE_GENESIS, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const BOB = "0x00000000000000000000000000000000000000b0";
const CAROL = "0x00000000000000000000000000000000000000ca";
const FRESH = ["--profile=dev", "--fresh"];
const REAL_CHAIN = {
  config: { chainId: 4242, ethash: {} },
  difficulty: "0x1",
  gasLimit: "0x1000000",
};

describe("the development chain as a process", () => {
  let host: ProgramHost;
  /** Its data is that of a chain with one block, which a node without other options has left. */
  let old: TemporaryFolder;
  let shown = "";
  let accounts: unknown;
  beforeAll(async () => {
    host = openProgramHost();
    old = temporaryFolder();
    const node = await startNode(["--profile=dev"], { folder: old.path });
    accounts = await node.rpc("eth_accounts");
    await node.rpc("evm_mine");
    shown = (await node.stop()).stdout;
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    old[Symbol.dispose]();
  });

  /** A folder with a copy of that data. */
  function continued(): TemporaryFolder {
    const folder = temporaryFolder();
    cpSync(old.file("data"), folder.file("data"), { recursive: true });
    return folder;
  }

  /** Expects that a node does not start, for this reason. */
  async function expectRefused(words: readonly string[], folder: string, reason: string) {
    const environment = {
      PLINTH_DATA_PATH: "data",
      PLINTH_RPC_HTTP_PORT: "0",
      PLINTH_RPC_WS_PORT: "0",
      PLINTH_P2P_ENABLED: "false",
    };
    const { code, stderr } = await host.run(words, { folder, environment });
    expect(stderr).toContain(reason);
    expect(code).not.toBe(0);
  }

  it("keeps changed accounts and impersonated transactions, and replays them to the same state", async () => {
    using folder = temporaryFolder();
    const node = await startNode(["--profile=dev"], { folder: folder.path });
    await node.rpc("hardhat_setBalance", [CAROL, "0xde0b6b3a7640000"]);
    await node.rpc("hardhat_setCode", [CAROL, "0x6001"]);
    await node.rpc("hardhat_impersonateAccount", [CAROL]);
    const sent = { from: CAROL, to: BOB, value: "0x7" };
    const hash = await node.rpc("eth_sendTransaction", [sent]);
    const before = await node.rpc("eth_getTransactionByHash", [hash]);
    await node.stop("SIGKILL");

    const again = await startNode(["--profile=dev"], { folder: folder.path });
    expect(again.output()).toMatch(/not stopped cleanly; its head, block 3 \(0x\w+\), was checked/);
    expect(await again.rpc("eth_getTransactionByHash", [hash])).toEqual(before);
    expect(before).toMatchObject({ from: CAROL, blockNumber: "0x3" });
    expect(await again.rpc("eth_getCode", [CAROL])).toBe("0x6001");
    expect(await again.rpc("eth_getBalance", [BOB])).toBe("0x7");
    await again.stop();

    await rerunAll(folder.file("data"));
  });

  it("starts from genesis with --fresh, and keeps its data otherwise", async () => {
    using folder = temporaryFolder();
    const height = async (words: readonly string[]) => {
      await using node = await startNode(["--profile=dev", ...words], { folder: folder.path });
      const found = await node.rpc("eth_blockNumber");
      await node.rpc("hardhat_mine", ["0x3"]);
      return found;
    };

    expect([await height([]), await height([]), await height(["--fresh"])]).toEqual([
      "0x0",
      "0x3",
      "0x0",
    ]);
  });

  it("does not touch the data of a running node, despite --fresh", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["--profile=dev"], { folder: folder.path });
    await node.rpc("evm_mine");

    await expectRefused(FRESH, folder.path, "in use by another process");

    await node.rpc("evm_mine");
    expect(await node.rpc("eth_blockNumber")).toBe("0x2");
  });

  it("starts from genesis with --fresh if the data is damaged", async () => {
    using folder = continued();
    rmSync(folder.file("data/database/CURRENT"));

    await using again = await startNode(FRESH, { folder: folder.path });

    expect(await again.rpc("eth_blockNumber")).toBe("0x0");
  });

  it("starts from genesis with --fresh if the database is missing", async () => {
    using folder = continued();
    rmSync(folder.file("data/database"), { recursive: true });

    await using again = await startNode(FRESH, { folder: folder.path });

    expect(await again.rpc("eth_blockNumber")).toBe("0x0");
  });

  it.each([
    ["another client", "000007.sst", "RocksDB"],
    ["someone who is no client", "schema.sql", "schema.sql"],
  ])("does not touch the files of %s, despite --fresh", async (_, name, message) => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("data/database"), { recursive: true });
    writeFileSync(folder.file(`data/database/${name}`), "precious");

    await expectRefused(FRESH, folder.path, message);

    expect(readFileSync(folder.file(`data/database/${name}`), "utf8")).toBe("precious");
  });

  it("does not touch a file in place of the database, despite --fresh", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("data"));
    writeFileSync(folder.file("data/database"), "precious");

    await expectRefused(FRESH, folder.path, "is a file");

    expect(readFileSync(folder.file("data/database"), "utf8")).toBe("precious");
  });

  it("does not touch the data of other chains, despite --fresh", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("real.json"), JSON.stringify(REAL_CHAIN));
    const real = await startNode(["--genesis-file=real.json", "--rpc-http-enabled"], {
      folder: folder.path,
    });
    await real.stop();

    await expectRefused(FRESH, folder.path, "with the chain id 4242");

    await using again = await startNode(["--genesis-file=real.json", "--rpc-http-enabled"], {
      folder: folder.path,
    });
    expect(await again.rpc("eth_chainId")).toBe("0x1092");
  });

  it("lets one of several nodes use the folder if they start with --fresh at once", async () => {
    using folder = temporaryFolder();
    const node = await startNode(["--profile=dev"], { folder: folder.path });
    await node.rpc("hardhat_mine", ["0x40"]);
    await node.stop();

    const start = () => startNode(FRESH, { folder: folder.path });
    const started = await Promise.allSettled([start(), start(), start()]);

    const nodes = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(nodes).toHaveLength(1);
    expect(await nodes[0]?.rpc("eth_blockNumber")).toBe("0x0");
    await nodes[0]?.rpc("evm_mine");
    await nodes[0]?.stop();
  });

  it("rejects --fresh for any other chain", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("other.json"), JSON.stringify({ config: { chainId: 7 } }));

    await expectRefused(
      ["--genesis-file=other.json", "--fresh"],
      folder.path,
      "--fresh only removes the data of a development chain",
    );
  });

  it("shows the accounts with their keys, each block, and what happened", () => {
    expect(shown).not.toContain("not stopped cleanly");
    expect(shown).toContain("The keys of these accounts are public");
    expect(shown).toContain(" 0  0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266  10,000 ether");
    expect(shown).toContain(
      " 0  0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    );
    expect(shown).toContain("Chain 1337 · osaka · a new chain in ");
    expect(shown).toContain("#1 · empty");
    expect(shown).toMatch(/1 block with 0 transactions \(0 failed\) and 0 gas in \d+ second/);
  });

  it("has no unlocked accounts by default, otherwise the listed ones", async () => {
    using folder = continued();
    const words = ["--profile=dev", "--dev-unlocked-accounts=true"];
    await using node = await startNode(words, { folder: folder.path });

    expect(accounts).toEqual([]);
    expect(await node.rpc("eth_accounts")).toHaveLength(13);
  });

  it("is not available outside its profile", async () => {
    using folder = temporaryFolder();
    const genesis = ["--genesis-file", DEV_PROFILE_GENESIS, "--rpc-http-enabled"];
    await using node = await startNode([...genesis, "--rpc-http-api=ETH,WEB3"], {
      folder: folder.path,
    });

    await expect(node.rpc("evm_mine")).rejects.toMatchObject({ code: -32601 });
  });

  it("rejects the data of another chain", async () => {
    using folder = continued();
    const genesis = { config: { chainId: 1337, dev: {} }, extraData: "0x01" };
    writeFileSync(folder.file("other.json"), JSON.stringify(genesis));

    await expectRefused(
      ["--genesis-file=other.json"],
      folder.path,
      "Supplied genesis block does not match chain data stored",
    );
  });
});

/** Replays every block of a database; throws if the result does not match the header. */
async function rerunAll(dataPath: string): Promise<void> {
  rmSync(`${dataPath}/plinth.ports`, { force: true });
  const node = await createNode({
    plugins: [storageLevel, evmPlinth, consensusDev],
    options: { dataPath, genesisFile: DEV_PROFILE_GENESIS },
  });
  await node.open();
  const { blocks } = node;
  for (let number = 1n; number <= blocks.head().number; number++) {
    await blocks.rerun(blocks.findHeader(number)?.hash ?? "0x");
  }
  expect(blocks.head().number).toBe(3n);
  await node.stop();
}
