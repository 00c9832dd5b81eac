import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeBlock, type Hex, hexToBytes, toHex } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import cmdBlocks from "@plinth/plugin-cmd-blocks";
import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacy from "@plinth/plugin-privacy";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";
import rpcEea from "@plinth/plugin-rpc-eea";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcPriv from "@plinth/plugin-rpc-priv";
import transportHttp from "@plinth/plugin-transport-http";
import {
  BOB,
  createTestNode,
  DEV_GENESIS,
  devChain,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { filesOf, filesOfProcess } from "../support/called-files.js";
import { until } from "../support/poller.js";
import { ROOT, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { ValidatorMesh } from "../support/validator-mesh.js";

const PRIVATE_KEY: Hex = "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";

/** Files of a walk, by its heading, from `docs/walks.md`. */
const walks = new Map(
  readFileSync(join(ROOT, "docs/walks.md"), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = ""] = part.split("\n");
      const files = [...part.matchAll(/^\| \d+ \| `([^`]+)`/gm)].map(([, file]) => file ?? "");
      return [heading, files] as const;
    }),
);
const walk = (heading: string) => walks.get(heading) ?? [];
const [toMethod, importing] = [
  walk("eth_call over HTTP").slice(0, 7),
  walk("An import with origin peer"),
];

/** Maximum number of files: the whole path, with the parts that a walk shares with another. */
const LIMITS: readonly (readonly [string, readonly string[], number])[] = [
  ["eth_call", walk("eth_call over HTTP"), 20],
  ["eth_sendRawTransaction", [...toMethod, ...walk("eth_sendRawTransaction over HTTP")], 20],
  ["blocks import", [...walk("blocks import"), ...importing.slice(0, 13)], 20],
  ["an import with origin peer", importing, 15],
  ["a QBFT proposal", walk("A QBFT proposal"), 20],
  ["a private transaction", walk("A private transaction"), 20],
  ["starting a node", walk("Starting a node"), 20],
  ["a sub-command", walk("A sub-command"), 20],
];

describe("the walk of", () => {
  it.each(LIMITS)("%s has files that exist, few, and none more than twice", (_, files, limit) => {
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(limit / 2);
    expect(files.length).toBeLessThanOrEqual(limit);
    for (const file of files)
      expect(files.filter((other) => other === file).length).toBeLessThan(3);
  });

  it("requests covers the files of its table", async () => {
    const genesis = { ...DEV_GENESIS, timestamp: "0x1" };
    await using node = await createTestNode({
      plugins: [rpcEth, transportHttp],
      genesis,
      options: { rpcHttpEnabled: true, rpcHttpPort: 0, rpcHttpApi: ["ETH"] },
    });
    const call = () => post(node, "eth_call", [{ to: BOB, data: "0x" }, "latest"]);
    const send = async (nonce: number) => {
      const raw = await signTransaction(transfer({ nonce }));
      const files = await filesOf(() => post(node, "eth_sendRawTransaction", [raw]));
      await until(async () => (Number(node.node.blocks.head().number) > nonce ? true : undefined));
      return files;
    };
    // The first of each loads what the next ones use.
    await call();
    await send(0);

    expectAll(walk("eth_call over HTTP"), await filesOf(call));
    expectAll([...toMethod, ...walk("eth_sendRawTransaction over HTTP")], await send(1));

    const { blocks } = node.node;
    const made = [1n, 2n].flatMap((number) => {
      const header = blocks.findHeader(number);
      return (header && blocks.findBlock(header.hash)) ?? [];
    });
    await using other = await createTestNode({ genesis });
    const [first, second] = made;
    if (first === undefined || second === undefined) throw new Error("two blocks were expected");
    await other.node.blocks.import(first, { origin: "peer" });
    expectAll(importing, await filesOf(() => other.node.blocks.import(second, { origin: "peer" })));

    using folder = temporaryFolder();
    writeFileSync(folder.file("blocks.rlp"), Buffer.concat(made.map(encodeBlock)));
    const files = await filesOf(() => importFile(folder.file("blocks.rlp"), genesis));
    expectAll([...walk("blocks import"), ...importing.slice(0, 13)], files);
  });
});

describe("a walk of several nodes or processes covers the files of its table:", () => {
  it("a QBFT proposal", async () => {
    await using mesh = await ValidatorMesh.start({ validators: 4 });
    await mesh.untilHeight(1);

    expectAll(walk("A QBFT proposal"), await filesOf(() => mesh.untilHeight(2)));
  });

  it("a private transaction", async () => {
    using folder = temporaryFolder();
    await using node = await openPrivateNode(folder.path);
    await sendPrivately(node, folder.path, 0n);

    const files = await filesOf(() => sendPrivately(node, folder.path, 1n));
    expectAll(walk("A private transaction"), files);
  });

  it("starting a node", async () => {
    using folder = temporaryFolder();
    const node = await startNode(["--profile=dev", "--rpc-http-port=0"], {
      folder: folder.path,
      environment: { NODE_V8_COVERAGE: folder.file("coverage") },
    });
    await node.stop();

    expectAll(walk("Starting a node"), filesOfProcess(folder.file("coverage")));
  });

  it("a sub-command", async () => {
    using folder = temporaryFolder();
    await runProgram(["rlp", "encode", "--type=QBFT_EXTRA_DATA"], {
      folder: folder.path,
      environment: { NODE_V8_COVERAGE: folder.file("coverage") },
      input: "[]",
    });

    expectAll(walk("A sub-command"), filesOfProcess(folder.file("coverage")));
  });
});

async function openPrivateNode(folder: string): Promise<TestNode> {
  const plugins = [enclave, enclaveTessera, privacy, rpcEea, rpcPriv];
  {
    await using maker = await createTestNode({ plugins: [enclave] });
    await maker.command("enclave keygen", { flags: { to: join(folder, "a") } });
  }
  const config = join(folder, "enclave.toml");
  const ports = "peer-port = 0\nnode-port = 0";
  writeFileSync(config, `url = "http://127.0.0.1:1/"\n${ports}\nkey-files = ["a.key"]\n`);
  return createTestNode({
    plugins,
    genesis: { ...DEV_GENESIS, config: { ...DEV_GENESIS.config, zeroBaseFee: true } },
    options: {
      privacyEnabled: true,
      enclaveConfigFile: config,
      privacyPublicKeyFile: join(folder, "a.pub"),
    },
  });
}

async function sendPrivately({ rpc }: TestNode, folder: string, nonce: bigint): Promise<void> {
  const privateFrom = Buffer.from(readFileSync(join(folder, "a.pub"), "utf8"), "base64");
  const raw = signPrivateTransaction(
    {
      nonce,
      gasPrice: 0n,
      gasLimit: 100_000n,
      to: BOB,
      value: 0n,
      data: new Uint8Array(),
      chainId: 1337n,
      privateFrom,
      restriction: "restricted",
      privateFor: [],
    },
    hexToBytes(PRIVATE_KEY),
  );
  const hash = await rpc("eea_sendRawTransaction", [toHex(raw)]);
  await until(async () => (await rpc("eth_getTransactionReceipt", [hash])) ?? undefined);
  expect(await rpc("priv_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
}

async function importFile(path: string, genesis: object): Promise<void> {
  const node = await createNode({
    plugins: [...devChain, cmdBlocks],
    options: { keyValueStorage: "memory" },
    genesis,
  });
  const command = node.commands().find(({ item }) => item.id === "blocks import")?.item;
  const io = { read: async () => "", warn() {}, write: async () => {} };
  const flags = Object.fromEntries(
    Object.entries(command?.flags ?? {}).map(([name, flag]) => [
      name,
      Reflect.get(flag, "default"),
    ]),
  );
  await runCommand(node, command as AnyCommand, {
    flags,
    args: [path],
    io,
    log: silentLogs.for("test"),
  });
}

/** A request over the listener of the node, as a client sends it. */
async function post({ node }: TestNode, method: string, params: readonly unknown[]): Promise<void> {
  const endpoint = node.rpc.endpoints().find(({ address }) => address !== undefined);
  const response = await fetch(`http://127.0.0.1:${endpoint?.address?.port}`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  expect(await response.json()).toHaveProperty("result");
}

function expectAll(files: readonly string[], called: ReadonlySet<string>): void {
  expect(files.filter((file) => !called.has(file))).toEqual([]);
}
