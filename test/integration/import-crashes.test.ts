import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { encodeBlock } from "@plinth/core";
import { createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, runProgram } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- crashes` kills it two hundred times. */
const CRASHES = Number(process.env.PLINTH_IMPORT_CRASHES ?? 2);
const SHORT = 60;
const LONG = 90;
/** Importing both branches takes about this long. */
const MAX_WORK_MS = 1500;

const NODE = ["--genesis-file=genesis.json", "--data-path=data"];
const IMPORT = [...NODE, "blocks", "import", "short.rlp", "long.rlp"];

/** Two branches of one chain: importing the longer one after the other is a deep reorganization. */
const files = new Map<string, Buffer>();
let best: string | undefined;

beforeAll(async () => {
  for (const [name, length, value] of [
    ["short.rlp", SHORT, 1n],
    ["long.rlp", LONG, 2n],
  ] as const) {
    await using node = await createTestNode();
    await node.mine(...Array.from({ length }, () => [transfer({ value }), transfer(), transfer()]));
    const { blocks } = node.node;
    const encoded = Array.from({ length }, (_, index) => {
      const block = blocks.findBlock(blocks.findHeader(BigInt(index + 1))?.hash ?? "0x");
      return block === undefined ? new Uint8Array() : encodeBlock(block);
    });
    files.set(name, Buffer.concat(encoded));
    best = blocks.head().hash;
  }
});

function write(folder: TemporaryFolder): void {
  writeFileSync(folder.file("genesis.json"), JSON.stringify(DEV_GENESIS));
  for (const [name, bytes] of files) writeFileSync(folder.file(name), bytes);
}

/** Kills an import at a random moment; returns whether it was still running. */
async function crash(folder: TemporaryFolder): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, ...IMPORT], {
    cwd: folder.path,
    stdio: "ignore",
  });
  const closed = once(child, "close");
  const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_WORK_MS);
  const [, signal] = await closed;
  clearTimeout(timer);
  return signal === "SIGKILL";
}

describe("an import that is killed", () => {
  it(
    `leaves an intact chain, ${CRASHES} times`,
    async () => {
      let kills = 0;
      while (kills < CRASHES) {
        using folder = temporaryFolder();
        write(folder);
        for (let attempt = 0; attempt < 4 && kills < CRASHES; attempt++) {
          if (await crash(folder)) kills += 1;
          // A kill may come before there is a database.
          if (!existsSync(folder.file("data", "database"))) continue;
          const verified = await runProgram([...NODE, "db", "verify"], { folder: folder.path });
          expect(verified).toMatchObject({ code: 0, stderr: "" });
        }
        const rest = await runProgram(IMPORT, { folder: folder.path });
        expect(rest.stdout).toContain(`the chain is at ${LONG}`);
        const whole = await runProgram([...NODE, "db", "verify"], { folder: folder.path });
        expect(whole.stdout).toContain(best);
      }
    },
    CRASHES * 10_000,
  );
});
