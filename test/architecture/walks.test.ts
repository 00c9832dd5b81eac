import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { encodeBlock } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import cmdBlocks from "@plinth/plugin-cmd-blocks";
import rpcEth from "@plinth/plugin-rpc-eth";
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
import { until } from "../support/poller.js";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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

/** At most so many files: the whole way, with the parts that a walk has in common with another. */
const LIMITS: readonly (readonly [string, readonly string[], number])[] = [
  ["eth_call", walk("eth_call over HTTP"), 22],
  ["eth_sendRawTransaction", [...toMethod, ...walk("eth_sendRawTransaction over HTTP")], 30],
  ["blocks import", [...walk("blocks import"), ...importing.slice(0, 13)], 20],
  ["an import with origin peer", importing, 15],
];

describe("the walk of", () => {
  it.each(LIMITS)("%s has files that exist, few, and none more than twice", (_, files, limit) => {
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(limit / 2);
    expect(files.length).toBeLessThanOrEqual(limit);
    for (const file of files)
      expect(files.filter((other) => other === file).length).toBeLessThan(3);
  });

  it("requests passes the files of its table", async () => {
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

/** The files of which a function is called while work is done. */
async function filesOf(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return new Set(
    result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) =>
        url
          .replace(/^file:\/\//, "")
          .replace(`${ROOT}`, "")
          .replace(/^\//, ""),
      ),
  );
}

function expectAll(files: readonly string[], called: ReadonlySet<string>): void {
  expect(files.filter((file) => !called.has(file))).toEqual([]);
}
