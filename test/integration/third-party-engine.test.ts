import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCrypto, loadCrypto, toHex } from "@plinth/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, type RunningNode, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const KEY = new Uint8Array(32).fill(1);
const FOLLOWED = 3;

let host: ProgramHost;
beforeAll(() => {
  host = openProgramHost();
});
afterAll(() => host[Symbol.asyncDispose]());

it("an engine of a third party produces, is imported, verified and restarted like any other", async () => {
  await loadCrypto();
  const { addressOf, publicKeyOf } = getCrypto();
  const authority = addressOf(publicKeyOf(KEY));
  using first = folderWith(authority);
  let head: unknown;
  {
    await using node = await start(first, ["--node-private-key-file=key"]);
    await reach(node, FOLLOWED);
    head = await node.rpc("eth_getBlockByNumber", ["0x3", false]);
    expect(head).toMatchObject({ miner: authority });
    expect(await node.rpc("turns_authorities")).toEqual([authority]);
  }
  const words = ["--config-file=plinth.toml", "--genesis-file=genesis.json", "--data-path=data"];
  const exported = await host.run([...words, "blocks", "export", "--to=blocks.rlp"], {
    folder: first.path,
  });
  expect(exported.code).toBe(0);

  using second = folderWith(authority);
  const imported = await host.run([...words, "blocks", "import", join(first.path, "blocks.rlp")], {
    folder: second.path,
  });
  const verified = await host.run([...words, "db", "verify"], { folder: second.path });

  expect(imported.stdout).toMatch(/^Imported: /);
  expect(verified.stdout + verified.stderr).not.toMatch(/problem/i);
  expect([imported.code, verified.code]).toEqual([0, 0]);
  await using again = await start(second, ["--node-private-key-file=key"]);
  expect(await again.rpc("eth_getBlockByNumber", ["0x3", false])).toEqual(head);
  await reach(again, FOLLOWED + 2);
});

it("generate-blockchain-config reports a third-party engine without a codec for extra data", async () => {
  using folder = folderWith(`0x${"11".repeat(20)}`);
  const genesis = { config: { chainId: 2026, turns: {} } };
  const blockchain = { nodes: { generate: true, count: 1 } };
  writeFileSync(folder.file("network.json"), JSON.stringify({ genesis, blockchain }));

  const { code, stderr } = await host.run(
    [
      ...["--config-file=plinth.toml", "operator", "generate-blockchain-config"],
      ...["--config-file=network.json", "--to=network"],
    ],
    { folder: folder.path },
  );

  expect(code).toBe(0);
  expect(stderr).toContain("no loaded plugin writes it for turns");
});

function folderWith(authority: string): TemporaryFolder {
  const folder = temporaryFolder();
  const turns = { periodSeconds: 1, authorities: [authority] };
  const genesis = {
    config: { chainId: 2026, londonBlock: 0, turns },
    difficulty: "0x1",
    gasLimit: "0x1c9c380",
  };
  const plugin = join(ROOT, "examples/plugin-consensus");
  writeFileSync(folder.file("genesis.json"), JSON.stringify(genesis));
  writeFileSync(folder.file("key"), toHex(KEY));
  writeFileSync(
    folder.file("plinth.toml"),
    `plugins = ["${plugin}"]\nrpc-http-enabled = true\nrpc-http-api = ["ETH", "TURNS"]\n`,
  );
  return folder;
}

function start(folder: TemporaryFolder, words: readonly string[]): Promise<RunningNode> {
  return startNode(["--config-file=plinth.toml", "--genesis-file=genesis.json", ...words], {
    folder: folder.path,
  });
}

/** Waits until the chain has this many blocks. */
async function reach(node: RunningNode, number: number): Promise<void> {
  while (Number(await node.rpc("eth_blockNumber")) < number) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
