import { readFileSync, writeFileSync } from "node:fs";
import { DEV_GENESIS } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSender } from "../support/dev-load.js";
import { DEV_PROFILE_GENESIS, runProgram, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const BLOCKS = 30;
/** The blocks of a chain, as `blocks export` wrote them. */
let exported: Buffer;
let host: ProgramHost;

/** A development chain whose block 0 is always the same. */
function writeGenesis(folder: TemporaryFolder): void {
  const { alloc } = JSON.parse(readFileSync(DEV_PROFILE_GENESIS, "utf8"));
  writeFileSync(folder.file("genesis.json"), JSON.stringify({ ...DEV_GENESIS, alloc }));
}

const run = (folder: TemporaryFolder, words: readonly string[], program = host.run) =>
  program(["--genesis-file=genesis.json", "--data-path=data", ...words], { folder: folder.path });

beforeAll(async () => {
  host = openProgramHost();
  using folder = temporaryFolder();
  writeGenesis(folder);
  const node = await startNode(["--profile=dev", "--genesis-file=genesis.json"], {
    folder: folder.path,
  });
  const sender = createSender(node, 0);
  for (let block = 0; block < BLOCKS; block++) await sender.send();
  await node.stop();
  const ended = await run(folder, ["blocks", "export", "--to=all.rlp"], runProgram);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Exported 31 blocks") });
  exported = readFileSync(folder.file("all.rlp"));
}, 60_000);
afterAll(() => host[Symbol.asyncDispose]());

describe("blocks import", () => {
  it("imports a chain into an empty database, and nothing the second time", async () => {
    using folder = temporaryFolder();
    writeGenesis(folder);
    writeFileSync(folder.file("all.rlp"), exported);

    const first = await run(folder, ["blocks", "import", "all.rlp"], runProgram);
    const again = await run(folder, ["blocks", "import", "--from=all.rlp"]);

    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^Imported: 30 blocks of all.rlp, the chain is at 30, /);
    expect(again.stdout).toMatch(/^Imported: 0 blocks of .*all.rlp, the chain is at 30, /);
    const verified = await run(folder, ["db", "verify"]);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("blocks 0 to 30") });
    await run(folder, ["blocks", "export", "--to=again.rlp"]);
    expect(readFileSync(folder.file("again.rlp")).equals(exported)).toBe(true);
  });

  it("continues where it stopped, and keeps the intact part of a truncated file", async () => {
    using folder = temporaryFolder();
    writeGenesis(folder);
    writeFileSync(folder.file("all.rlp"), exported);
    writeFileSync(folder.file("cut.rlp"), exported.subarray(0, exported.length / 2));

    const cut = await run(folder, ["blocks", "import", "cut.rlp"]);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/Unable to import blocks from cut.rlp: at byte \d+, it ends after/);
    const rest = await run(folder, ["blocks", "import", "all.rlp"]);

    expect(rest.stdout).toMatch(/^Imported: 1\d blocks of all.rlp, the chain is at 30, /);
  });

  it("imports a part by its numbers", async () => {
    using folder = temporaryFolder();
    writeGenesis(folder);
    writeFileSync(folder.file("all.rlp"), exported);

    const part = await run(folder, ["blocks", "import", "--end-block=11", "all.rlp"]);
    expect(part.stdout).toMatch(/^Imported: 10 blocks of all.rlp, the chain is at 10, /);
    const gap = await run(folder, ["blocks", "import", "--start-block=13", "all.rlp"]);

    expect(gap.code).toBe(1);
    expect(gap.stderr).toContain(
      "Block 13 does not connect to the existing chain. Current chain head 10",
    );
  });

  it.each([
    ["no file", [], 2, "No files specified to import."],
    ["a file that is not there", ["nothing.rlp"], 1, "Could not find file to import: nothing.rlp"],
    ["an empty file", ["empty.rlp"], 0, ""],
    ["text", ["text.rlp"], 1, "Unable to import blocks from text.rlp: at byte 0, "],
  ])("reports what is wrong with %s", async (_, words, code, message) => {
    using folder = temporaryFolder();
    writeGenesis(folder);
    writeFileSync(folder.file("empty.rlp"), "");
    writeFileSync(folder.file("text.rlp"), "these are no blocks");

    const ended = await run(folder, ["blocks", "import", ...words]);

    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });

  it("continues with the next file if one of several is invalid", async () => {
    using folder = temporaryFolder();
    writeGenesis(folder);
    writeFileSync(folder.file("all.rlp"), exported);

    const ended = await run(folder, ["blocks", "import", "nothing.rlp", "all.rlp"]);

    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("Could not find file to import: nothing.rlp");
    expect(ended.stdout).toContain("the chain is at 30");
  });

  it("rejects the blocks of another chain", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("genesis.json"), JSON.stringify(DEV_GENESIS));
    writeFileSync(folder.file("all.rlp"), exported);

    const ended = await run(folder, ["blocks", "import", "all.rlp"]);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("Block 1 does not connect to the existing chain.");
  });
});

describe("blocks import of descriptions", () => {
  const secretKey = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
  const to = "627306090abaB3A6e1400e9345bC60c78a8BEf57";
  const gas = { gasLimit: "0x5208", gasPrice: "0xff" };
  const transaction = { SECRETKEY: secretKey, ...gas, to, value: "0x1", comment: "any" };

  function writeFiles(folder: TemporaryFolder, blocks: readonly object[], engine: object): void {
    const alloc = { fe3b557e8fb62b89f4916b721be55ceb828dbd73: { balance: "0xffffffffffff" } };
    const config = { chainId: 1337, ...engine };
    const genesis = { config, gasLimit: "0x1000000", difficulty: "0x64", alloc };
    writeFileSync(folder.file("genesis.json"), JSON.stringify(genesis));
    writeFileSync(folder.file("blocks.json"), JSON.stringify({ comment: "any", blocks }));
  }

  const ethash = { ethash: { fixeddifficulty: 100 } };
  const importJson = ["blocks", "import", "--format=JSON", "blocks.json"];

  it("creates the blocks, with nonces from the state", async () => {
    using folder = temporaryFolder();
    const blocks = [
      { transactions: [transaction, transaction] },
      { number: "0x2", coinbase: "0x02", extraData: "0x1234", transactions: [transaction] },
    ];
    writeFiles(folder, blocks, ethash);

    const ended = await run(folder, [...importJson, "--start-time=1700000000"]);

    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/^Imported: 2 blocks of blocks.json, the chain is at 2, /);
    const verified = await run(folder, ["db", "verify"]);
    expect(verified.stdout).toContain("blocks 0 to 2");
  });

  it.each([
    ["a missing parent", [{ number: "0x999" }], ethash, 1, "no block number 2456"],
    [
      "a transaction that cannot run",
      [{ transactions: [{ ...transaction, gasLimit: "0x7fffffffffffffff" }] }],
      ethash,
      1,
      "Unable to create block.  1 transaction(s) were found to be invalid.",
    ],
    ["an invalid number", [{ number: "two" }], ethash, 1, "blocks[0].number: expected"],
  ])("reports what is wrong with %s", async (_, blocks, engine, code, message) => {
    using folder = temporaryFolder();
    writeFiles(folder, blocks, engine);

    const ended = await run(folder, importJson);

    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(code);
  });

  it("has no seals that could be left unchecked", async () => {
    using folder = temporaryFolder();
    writeFiles(folder, [], ethash);

    const ended = await run(folder, [...importJson, "--skip-pow-validation-enabled"]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("Can't skip proof of work validation for JSON blocks");
  });
});

describe("blocks export", () => {
  it.each([
    ["no file", [], "Missing required option: '--to=<FILE>'"],
    [
      "an end before its start",
      ["--to=x", "--start-block=10", "--end-block=1"],
      "Parameter --end-block (1) must be greater start block (10).",
    ],
  ])("reports what is wrong with %s", async (_, words, message) => {
    using folder = temporaryFolder();
    writeGenesis(folder);

    const ended = await run(folder, ["blocks", "export", ...words]);

    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
