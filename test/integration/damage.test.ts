import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DEV_GENESIS } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { runProgram, startNode } from "../support/program.js";
import { report } from "../support/report.js";
import {
  acceptElsewhere,
  copyOf,
  createChain,
  overwriteHead,
  type Readings,
  readAnswers,
  runDb,
  startOn,
} from "../support/stored-data.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- damage` flips 200 times. */
const FLIPS = Number(process.env.PLINTH_FLIPS ?? 6);
const SESSIONS = [6, 5, 4];
const LAST = 15n;
const OTHER_GENESIS = { ...DEV_GENESIS, timestamp: "0x5" };

let original: TemporaryFolder;
let right: Readings;

beforeAll(async () => {
  original = temporaryFolder();
  await createChain(original.path, SESSIONS);
  using copy = copyOf(original.path);
  await using node = await startOn(copy.path);
  right = readAnswers(node.node);
});

afterAll(() => original[Symbol.dispose]());

describe("a data folder with flipped bytes", () => {
  it.each([
    ["one byte", 1],
    ["eight bytes", 8],
  ])(
    `never returns wrong results and can be repaired, ${FLIPS} times %s`,
    { timeout: 10_000 + FLIPS * 3_000 },
    async (_, count) => {
      const random = createRandom(count);
      const seen = { started: 0, refused: 0, blocksRemoved: 0, blocksLost: 0 };
      for (let round = 0; round < FLIPS; round++) {
        using data = copyOf(original.path);
        const place = flipSomewhere(data, count, random);
        const refusal = await tryStart(data);
        if (refusal === undefined) {
          seen.started += 1;
          continue;
        }
        seen.refused += 1;
        expect(refusal, place).toMatchObject({ name: "StorageError" });
        const { code } = refusal as { code: string };
        expect(["STORAGE_DAMAGED", "STORAGE_LOST"], place).toContain(code);
        expect((await runDb(data.path, "repair")).error, place).toBeUndefined();
        const head = await verifyRepaired(data);
        seen.blocksRemoved += Number(LAST - head);
        seen.blocksLost += Number(LAST - (await importSaved(data)));
      }
      report(`flips of ${count} bytes`, seen);
      expect(seen.started + seen.refused).toBe(FLIPS);
    },
  );
});

describe("a data folder", () => {
  it("whose log was damaged after kill -9 does not start, and reports from which block on", async () => {
    using folder = temporaryFolder();
    const node = await startNode(["--profile=dev"], { folder: folder.path });
    for (let made = 0; made < 20; made++) await node.rpc("evm_mine");
    await node.stop("SIGKILL");
    flipMiddle(dataFiles(join(folder.path, "data"), ".log")[0] ?? "");

    const ended = await runProgram(["--profile=dev", "--data-path=data"], { folder: folder.path });

    expect(ended.code).toBe(2);
    expect(ended.stdout + ended.stderr).toMatch(
      /\.log at byte \d+.*db repair.*Blocks from block \d+ on are lost or incomplete/s,
    );
  });

  it("whose log was truncated does not start, and reports the lost blocks", async () => {
    using data = copyOf(original.path);
    const log = dataFiles(data.path, ".log")[0] ?? "";
    truncateSync(log, Math.floor(statSync(log).size / 2));

    expect(await tryStart(data)).toMatchObject({
      code: "STORAGE_LOST",
      message: expect.stringMatching(/ends at block 1[1-4], but.*lost/),
    });
    expect((await runDb(data.path, "verify")).output).toMatch(/had reached block 15/);
  });

  it("without CURRENT does not start, keeps its files, and is repaired without loss", async () => {
    using data = copyOf(original.path);
    rmSync(data.file("database", "CURRENT"));
    const files = readdirSync(data.file("database"));

    expect(await tryStart(data)).toMatchObject({ code: "STORAGE_DAMAGED" });
    expect((await runDb(data.path, "verify")).error).toBeDefined();
    expect(readdirSync(data.file("database"))).toEqual(files);
    expect((await runDb(data.path, "repair")).output).toMatch(/The chain ends at block 15/);

    expect(await verifyRepaired(data)).toBe(LAST);
    expect(readdirSync(data.path).filter((name) => /damaged-/.test(name))).toHaveLength(1);
  });

  it("of Besu does not start, and the error does not suggest removing it", async () => {
    using data = temporaryFolder();
    writeFileSync(data.file("DATABASE_METADATA.json"), '{"v2":{"format":"BONSAI","version":2}}');

    const refusal = (await tryStart(data)) as Error;

    expect(refusal).toMatchObject({ code: "STORAGE_FOREIGN" });
    expect(refusal.message).toMatch(/blocks export/);
    expect(refusal.message).not.toMatch(/remove/);
    expect(readdirSync(data.path)).toEqual(["DATABASE_METADATA.json"]);
  });
});

describe("db verify", () => {
  it.each([{}, { full: true }])("writes nothing with %j", async (flags) => {
    using data = copyOf(original.path);
    const before = contentOf(data);

    const { output, error } = await runDb(data.path, "verify", { flags });

    expect(error).toBeUndefined();
    expect(output).toMatch(/^Intact: blocks 0 to 15.*\n.*Not (read|checked)/);
    expect(contentOf(data)).toEqual(before);
  });

  it("continues after a damaged head", async () => {
    using data = copyOf(original.path);
    await overwriteHead(data.file("database"));

    const { output, error } = await runDb(data.path, "verify");

    expect(error).toMatchObject({ code: "DATABASE_DAMAGED" });
    expect(output).toMatch(
      /head: it cannot be read: the database is damaged: headers of block 0x01/,
    );
    expect((await runDb(data.path, "repair")).output).toMatch(/The chain ends at block 15/);
    expect(await verifyRepaired(data)).toBe(LAST);
  });

  it("reports damaged files with --full without LevelDB", async () => {
    using data = copyOf(original.path);
    for (const file of dataFiles(data.path, ".ldb")) flipMiddle(file);

    const { output, error } = await runDb(data.path, "verify", { flags: { full: true } });

    expect(error).toMatchObject({ code: "DATABASE_DAMAGED" });
    expect(output).toMatch(/\.ldb at byte \d+, .*: the CRC of a block does not match/);
    expect(output).toMatch(/Not checked: blocks and state/);
  });
});

describe("db verify without a database", () => {
  it("reports that there is none", async () => {
    using data = temporaryFolder();

    expect((await runDb(data.path, "verify")).error).toMatchObject({ code: "DATABASE_MISSING" });
  });
});

describe("db verify of the head marker", () => {
  it.each([
    [
      "missing",
      (path: string) => rmSync(path),
      /whether there were later blocks, because .* missing/,
    ],
    ["damaged", (path: string) => writeFileSync(path, "{}"), /database-head\.json: it is damaged/],
  ])("reports that it is %s", async (_, change, expected) => {
    using data = copyOf(original.path);
    change(data.file("database-head.json"));

    expect((await runDb(data.path, "verify")).output).toMatch(expected);
  });

  it("reports a database that does not belong to the genesis file", async () => {
    using data = copyOf(original.path);

    const { output, error } = await runDb(data.path, "verify", { genesis: OTHER_GENESIS });

    expect(error).toMatchObject({ code: "DATABASE_DAMAGED" });
    expect(output).toMatch(/contains another chain than/);
  });
});

describe("db repair", () => {
  it("rejects the database of another chain and does not touch its marker", async () => {
    using data = copyOf(original.path);
    using other = temporaryFolder();
    await createChain(other.path, [2], OTHER_GENESIS);
    rmSync(data.file("database"), { recursive: true });
    cpSync(other.file("database"), data.file("database"), { recursive: true });
    const before = contentOf(data);

    const byMarker = await runDb(data.path, "repair", { genesis: OTHER_GENESIS });
    const byGenesis = await runDb(data.path, "repair");

    expect(byMarker.error).toMatchObject({ code: "STORAGE_LOST" });
    expect(byGenesis.error).toMatchObject({ code: "GENESIS_MISMATCH" });
    expect(contentOf(data)).toEqual(before);
  });

  it("reports that blocks are missing from an intact database", async () => {
    using data = copyOf(original.path);
    using older = temporaryFolder();
    await createChain(older.path, [2]);
    rmSync(data.file("database"), { recursive: true });
    cpSync(older.file("database"), data.file("database"), { recursive: true });

    expect((await runDb(data.path, "repair")).output).toMatch(
      /^The database is intact up to block 2, but had reached more\. Blocks 3 to 15 are missing/,
    );
    await using node = await startOn(data.path);
    expect(node.node.blocks.head().number).toBe(2n);
  });

  it("does not change an intact database", async () => {
    using data = copyOf(original.path);

    expect((await runDb(data.path, "repair")).output).toMatch(/Nothing to repair/);
    expect(readdirSync(data.path).sort()).toEqual(["database", "database-head.json"]);
  });

  it("falls back to block 0 of the genesis file if nothing else is left", async () => {
    using data = copyOf(original.path);
    for (const file of dataFiles(data.path, "")) flipEverything(file);

    expect((await runDb(data.path, "repair")).output).toMatch(/Blocks 1 to 15 are missing/);
    expect(await verifyRepaired(data)).toBe(0n);
  });
});

/** Starts a node; returns why it failed, and otherwise expects the right results. */
async function tryStart(data: TemporaryFolder): Promise<unknown> {
  let node: Awaited<ReturnType<typeof startOn>>;
  try {
    node = await startOn(data.path);
  } catch (error) {
    return error;
  }
  try {
    expect(readAnswers(node.node)).toEqual(right);
    return undefined;
  } finally {
    await node.stop();
  }
}

/** A repaired chain is a prefix of the right one, another node accepts it, and it continues. */
async function verifyRepaired(data: TemporaryFolder): Promise<bigint> {
  expect((await runDb(data.path, "verify", { flags: { full: true } })).error).toBeUndefined();
  await using node = await startOn(data.path);
  const answers = readAnswers(node.node);
  expect(answers.blocks).toEqual(right.blocks.slice(0, answers.blocks.length));
  await acceptElsewhere(node.node);
  return answers.head;
}

/** Re-executes the blocks that a repair removed from the chain; returns the head afterwards. */
async function importSaved(data: TemporaryFolder): Promise<bigint> {
  await using node = await startOn(data.path);
  const { blocks } = node.node;
  for (const name of readdirSync(data.path).filter((file) => file.endsWith(".rlp"))) {
    for (const block of readBlocks(data.file(name))) await blocks.import(block, { origin: "peer" });
  }
  const answers = readAnswers(node.node);
  expect(answers.blocks).toEqual(right.blocks.slice(0, answers.blocks.length));
  await node.mine([]);
  return answers.head;
}

function dataFiles(dataPath: string, ending: string): readonly string[] {
  const folder = join(dataPath, "database");
  return readdirSync(folder)
    .filter((name) => /\.ldb$|\.log$|^MANIFEST/.test(name) && name.endsWith(ending))
    .map((name) => join(folder, name));
}

function flipSomewhere(data: TemporaryFolder, count: number, random: () => number): string {
  const files = dataFiles(data.path, "");
  const file = files[Math.floor(random() * files.length)] ?? "";
  const at = Math.floor(random() * Math.max(1, statSync(file).size - count));
  flip(file, at, count);
  return `${file} at ${at}`;
}

function flipMiddle(file: string): void {
  flip(file, Math.floor(statSync(file).size / 2), 1);
}

function flipEverything(file: string): void {
  flip(file, 0, statSync(file).size);
}

function flip(file: string, at: number, count: number): void {
  const bytes = readFileSync(file);
  for (let index = at; index < at + count; index++) bytes[index] = (bytes[index] ?? 0) ^ 0x55;
  writeFileSync(file, bytes);
}

function contentOf(data: TemporaryFolder): Record<string, string> {
  const names = readdirSync(data.path, { recursive: true }).map(String).sort();
  const files = names.filter((name) => statSync(data.file(name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(data.file(name), "hex")]));
}

/** Repeatable: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
