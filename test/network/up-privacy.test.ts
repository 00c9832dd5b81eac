import { execFile } from "node:child_process";
import { realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { metricsIn, readPanels } from "../support/dashboard.js";
import { ROOT, runProgram } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { managersMet } from "./managers-met.js";
import { endingNodes, listNodes, ProgramProcess } from "./program-process.js";

const MAIN = join(ROOT, "examples/private-transactions/main.mjs");
const LIMIT_MS = 120_000;
/** The key of the second account with a published key. */
const KEY = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
/** Returns its slot 0, or stores its calldata there. */
const CONTRACT = "0x6017600c60003960176000f336600f5760005460005260206000f35b60003560005500";
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

describe("plinth up --privacy", () => {
  it("runs three nodes with managers and the example on them, and adds a fourth of each", {
    timeout: LIMIT_MS,
  }, async () => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    await using _nodes = endingNodes(folder);
    const words = ["up", `--data-path=${folder}`, "--privacy", "--period=1", "--base-port=0"];
    await using up = ProgramProcess.start(words, dirname(folder));
    await up.printed("block 2 ");
    await managersMet(folder);

    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, folder]);
    const status = await runProgram([`--data-path=${folder}/node1/data`, "privacy", "status"], {
      folder: place.path,
    });

    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^contract 0x[0-9a-f]{40} of group .{43}=$/),
      expect.stringMatching(/^stored with status 1 in block \d+$/),
      "node1 reads 42",
      "node2 reads 42",
      "node3 reads nothing",
    ]);
    expect(status.stdout).toMatch(/^Private transactions are fetched up to block \d+ of \d+\./);
    expect(status.code).toBe(0);
    await sendByCommands(folder);
    await verifyDashboard(listNodes(folder)[0]?.metricsPort);

    await runProgram([`--data-path=${folder}`, "up", "add-node", "--base-port=0"], {
      folder: place.path,
    });
    expect(listNodes(folder)).toHaveLength(4);
    await managersMet(folder);
    expect(await up.end("SIGINT")).toBe(0);
  });
});

/** Every metric of the dashboard is exported by a validator with a manager. */
async function verifyDashboard(port: number | undefined): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const declared = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const isExported = (name: string) =>
    declared.has(name) || declared.has(name.replace(/_(bucket|count|sum)$/, ""));

  const panels = readPanels();
  for (const about of ["Peers", "Sync", "Rounds", "Disk", "Private transactions"]) {
    expect(panels.map(({ title }) => title)).toContainEqual(expect.stringContaining(about));
  }
  expect(metricsIn(panels).filter((name) => !isExported(name))).toEqual([]);
}

/** A contract shared by node1 and node2, using only the program and the folders of the nodes. */
async function sendByCommands(folder: string): Promise<void> {
  const at = (node: string, ...words: readonly string[]) =>
    runProgram([`--data-path=${folder}/${node}/data`, "privacy", ...words], { folder });
  const keyFile = join(folder, "account.key");
  writeFileSync(keyFile, KEY);
  const send = (...words: readonly string[]) =>
    at("node1", "send", `--key-file=${keyFile}`, "--wait", "--json", ...words);
  const other = listNodes(folder)[1]?.manager?.publicKey;

  const created = await send(`--private-for=${other}`, `--data=${CONTRACT}`);
  const { contractAddress: to, privacyGroupId } = JSON.parse(created.stdout);
  const stored = await send(`--private-for=${other}`, `--to=${to}`, `--data=${word(42)}`);
  const { commitmentHash } = JSON.parse(stored.stdout);
  const call = [`--group=${privacyGroupId}`, `--to=${to}`];
  const [shown, absent] = await Promise.all([
    at("node2", "receipt", commitmentHash, "--wait"),
    at("node3", "receipt", commitmentHash, "--wait"),
  ]);

  expect([created.code, stored.code, shown.code, absent.code]).toEqual([0, 0, 0, 1]);
  expect(shown.stdout).toContain(`Marker    ${commitmentHash}\nStatus    succeeded, in block `);
  expect(absent.stdout).toContain("the node is not a party");
  const read = await Promise.all(["node2", "node3"].map((node) => at(node, "call", ...call)));
  expect(read.map(({ stdout }) => stdout)).toEqual([`${word(42)}\n`, "0x\n"]);
  const said = [created, stored, shown].map(({ stdout, stderr }) => stdout + stderr).join();
  expect(said).not.toContain(KEY);
}
