import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, runProgram, startNode } from "../support/program.js";
import { SNAPSHOT_CHAINS, startSnapshotNode } from "../support/snapshot-chain.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- snapshots` kills each a hundred times. */
const KILLS = Number(process.env.PLINTH_SNAPSHOT_KILLS ?? 1);
const BLOCKS = 20;
const ACCOUNTS = 4_000;
const STATES = "--data-storage-format=BONSAI";
const NODE = ["--genesis-file=genesis.json", "--p2p-enabled=false", STATES];

const folder = temporaryFolder();
const JOIN = [...NODE, "--data-path=data", "--snapshot=snapshot"];
const CREATE = [...NODE, "--data-path=source", "snapshot", "create"];
let head: string;
/** How long it took to start a process and create a snapshot. */
let workMs: number;

beforeAll(async () => {
  const genesis = { ...SNAPSHOT_CHAINS.qbft, alloc: { ...SNAPSHOT_CHAINS.qbft.alloc, ...many() } };
  writeFileSync(folder.file("genesis.json"), JSON.stringify(genesis));
  {
    await using chain = await startSnapshotNode(folder.file("source"), "qbft", { genesis });
    for (let value = 1n; value <= BLOCKS; value++) {
      await chain.add({ to: `0x${"b0".repeat(20)}`, value });
    }
    head = chain.node.node.blocks.head().hash;
  }
  const begun = performance.now();
  expect(await run([...CREATE, "snapshot"])).toMatchObject({ code: 0 });
  workMs = performance.now() - begun;
});

afterAll(() => folder[Symbol.dispose]());

/** Accounts with slots. */
function many(): Readonly<Record<string, object>> {
  const account = { balance: "0x1", storage: { "0x0": "0x1", "0x1": "0x2" } };
  return Object.fromEntries(
    Array.from({ length: ACCOUNTS }, (_, index) => [
      `0x${(index + 2 ** 20).toString(16).padStart(40, "0")}`,
      account,
    ]),
  );
}

const run = (args: readonly string[]) => runProgram(args, { folder: folder.path });

/** Kills the program at a random moment of its work; returns whether it was still running. */
async function kill(args: readonly string[], maxMs: number): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.path,
    stdio: "ignore",
  });
  const closed = once(child, "close");
  const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * maxMs);
  const [, signal] = await closed;
  clearTimeout(timer);
  return signal === "SIGKILL";
}

describe("a process that is killed", () => {
  it(
    `while it joins a chain continues later, ${KILLS} times`,
    async () => {
      for (let kills = 0; kills < KILLS; ) {
        rmSync(folder.file("data"), { recursive: true, force: true });
        for (let attempt = 0; attempt < 3 && kills < KILLS; attempt++) {
          if (await kill(JOIN, workMs)) kills += 1;
        }
        {
          await using node = await startNode([...JOIN, "--rpc-http-enabled"], {
            folder: folder.path,
          });
          expect(await node.rpc("eth_getBlockByNumber", ["latest", false])).toMatchObject({
            hash: head,
          });
        }
        const verified = await run([...NODE, "--data-path=data", "db", "verify", "--full"]);
        expect(verified).toMatchObject({ code: 0, stderr: "" });
      }
    },
    60_000 + KILLS * 10_000,
  );

  it.skipIf(KILLS < 2)(
    `while it creates a snapshot leaves none or a whole one, ${KILLS} times`,
    async () => {
      for (let kills = 0; kills < KILLS; ) {
        if (await kill([...CREATE, "made"], workMs)) kills += 1;
        if (existsSync(folder.file("made"))) {
          const verified = await run([...NODE, "snapshot", "verify", "made"]);
          expect(verified).toMatchObject({ code: 0 });
          rmSync(folder.file("made"), { recursive: true });
        }
      }
      expect(await run([...CREATE, "made"])).toMatchObject({ code: 0 });
      const hidden = (path: string) => readdirSync(path).filter((name) => name.startsWith("."));
      expect([...hidden(folder.path), ...hidden(folder.file("source"))]).toEqual([]);
    },
    60_000 + KILLS * 10_000,
  );
});
