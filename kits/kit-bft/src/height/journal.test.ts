import { type PluginTable, RlpError } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import type { TableChange } from "@plinth/core/storage";
import { type Mark, SignedMark } from "@plinth/kit-poa";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../messages/dialect.js";
import type { Commit, Prepare } from "../messages/messages.js";
import { Journal } from "./journal.js";

const NOTHING = { messages: [], certificate: undefined };
const dialect = {
  decode() {
    throw new RlpError("a message of an older version");
  },
} as unknown as Dialect;

it("forgets what was signed at another height, readable or not", async () => {
  const { table, entries } = createTable();
  const journal = await opened(table);
  await journal.begin(1n);
  await journal.add([prepareOf(0)], undefined);

  await expect((await opened(table)).begin(1n)).rejects.toThrow("older version");
  const next = await opened(table);
  expect(await next.begin(2n)).toEqual(NOTHING);
  await next.add([prepareOf(1)], undefined);

  expect([...entries.keys()].sort()).toEqual(["mark", "prepare 1"]);
});

it("removes the entries of the previous height with its first write at the next", async () => {
  const { table, entries } = createTable();
  const journal = await opened(table);
  await journal.begin(1n);
  await journal.add([prepareOf(0), prepareOf(1)], undefined);

  expect(await journal.begin(2n)).toEqual(NOTHING);
  expect(journal.has({ ...prepareOf(0), height: 2n })).toBe(false);
  await journal.add([prepareOf(0)], undefined);

  expect([...entries.keys()].sort()).toEqual(["mark", "prepare 0"]);
  expect(journal.has({ ...prepareOf(0), height: 2n })).toBe(true);
});

it("reads the disk again for a height that does not directly follow the previous one", async () => {
  const { table } = createTable();
  const journal = await opened(table);
  await journal.begin(1n);
  await journal.add([prepareOf(0)], undefined);
  await journal.begin(2n);

  await expect(journal.begin(1n)).rejects.toThrow("older version");
});

describe("a record of signed messages", () => {
  it("prevents signing again after the chain was rewound", async () => {
    const { table, file } = createTable();
    await signAt(await opened(table, { file }), 40n);

    const journal = await opened(table, { file });

    expect(journal.findObstacle(39n)).toContain("it has already signed block 40");
    expect(journal.findObstacle(40n)).toBeUndefined();
    expect(journal.findObstacle(41n)).toBeUndefined();
  });

  it.each([
    ["the database is older than the file", true],
    ["the database was removed", false],
  ])("prevents signing again if %s", async (_, isRestored) => {
    const { table, entries, file } = createTable();
    const journal = await opened(table, { file });
    await signAt(journal, 30n);
    const backup = new Map(entries);
    await signAt(journal, 40n);
    entries.clear();
    if (isRestored) for (const [key, value] of backup) entries.set(key, value);

    const restored = await opened(table, { file });

    expect(restored.findObstacle(40n)).toContain("signed-test.json records");
    expect(restored.findObstacle(41n)).toBeUndefined();
    await signAt(restored, 41n);
    expect((await opened(table, { file })).findObstacle(40n)).toBeDefined();
  });

  it("prevents signing again if the backup was made in the same round", async () => {
    const { table, entries, file } = createTable();
    const journal = await opened(table, { file });
    await signAt(journal, 40n);
    const backup = new Map(entries);
    await journal.add([commitOf(0)], undefined);
    for (const [key, value] of backup) entries.set(key, value);

    expect((await opened(table, { file })).findObstacle(40n)).toBeDefined();
  });

  it("is taken from the database if the file is missing or older", async () => {
    const { table, file } = createTable();
    const journal = await opened(table, { file });
    await signAt(journal, 30n);
    const older = file.mark;
    await signAt(journal, 40n);

    for (const mark of [undefined, older]) {
      file.mark = mark;
      const again = await opened(table, { file });

      expect([again.findObstacle(39n), again.findObstacle(40n)]).toEqual([
        expect.any(String),
        undefined,
      ]);
      expect(file.mark).toMatchObject({ height: 40n });
    }
  });

  it("is known from a journal of an older version, which has no mark", async () => {
    const { table, entries, file } = createTable();
    await signAt(await opened(table, { file }), 40n);
    entries.delete("mark");
    file.mark = undefined;

    const journal = await opened(table, { file });

    expect(journal.findObstacle(39n)).toBeDefined();
    expect(journal.findObstacle(40n)).toBeUndefined();
  });

  it("is known after an older version was run, which removes the mark or leaves it behind", async () => {
    const { table, entries, file } = createTable();
    await signAt(await opened(table, { file, signFrom: 50n }), 57n);
    const left = entries.get("mark");
    await signAt(await opened(table, { file: createTable().file }), 900n);
    for (const mark of [undefined, left]) {
      entries.delete("mark");
      if (mark !== undefined) entries.set("mark", mark);
      file.mark = { ...(file.mark as Mark), height: 57n };

      const journal = await opened(table, { file, signFrom: 50n });

      expect(journal.findObstacle(899n)).toBeDefined();
      expect(journal.findObstacle(900n)).toBeUndefined();
      expect(entries.has("prepare 0")).toBe(true);
    }
  });

  it("is unknown if there is neither, as at the start of a network", async () => {
    const { table, file } = createTable();

    expect((await opened(table, { file })).findObstacle(1n)).toBeUndefined();
  });

  it("keeps a node from signing if the file is damaged and the database is new", async () => {
    const { table, file } = createTable();
    file.mark = "damaged";

    await expect(opened(table, { file })).rejects.toMatchObject({ code: "SIGNED_FILE_UNUSABLE" });
    await signAt(await opened(table, { file, signFrom: 100n }), 100n);
    expect((await opened(table, { file, signFrom: 100n })).findObstacle(99n)).toBeDefined();
  });
});

describe("the block from which the operator lets a validator sign", () => {
  it("counts once, and again after a start without the option", async () => {
    const { table, file } = createTable();
    await signAt(await opened(table, { file }), 40n);
    const journal = await opened(table, { file, signFrom: 33n });
    expect(journal.findObstacle(32n)).toContain("the operator lets it sign from block 33 on");
    await signAt(journal, 33n);
    await signAt(journal, 36n);

    const later = await opened(table, { file, signFrom: 33n });
    expect(later.findObstacle(33n)).toContain("once it was started without it");
    expect(later.findObstacle(36n)).toBeUndefined();

    await opened(table, { file });
    expect((await opened(table, { file, signFrom: 33n })).findObstacle(33n)).toBeUndefined();
  });

  it("makes a validator forget what it signed at that height", async () => {
    const { table, file } = createTable();
    await signAt(await opened(table, { file }), 40n);

    const journal = await opened(table, { file, signFrom: 40n });

    expect(await journal.begin(40n)).toEqual(NOTHING);
  });

  it("is not undone by an older database", async () => {
    const { table, entries, file } = createTable();
    await signAt(await opened(table, { file }), 40n);
    const backup = new Map(entries);
    await signAt(await opened(table, { file, signFrom: 33n }), 35n);
    entries.clear();
    for (const [key, value] of backup) entries.set(key, value);

    const journal = await opened(table, { file, signFrom: 33n });

    expect(journal.findObstacle(35n)).toBeDefined();
    expect(journal.findObstacle(36n)).toBeUndefined();
  });
});

/** Signs something at a height. */
async function signAt(journal: Journal<never, never>, height: bigint): Promise<void> {
  await journal.begin(height);
  await journal.add([prepareOf(0)], undefined);
}

function commitOf(round: number): Commit {
  return { ...prepareOf(round), kind: "commit" } as unknown as Commit;
}

interface TestFile {
  readonly name: string;
  mark: Mark | "damaged" | undefined;
}

async function opened(
  table: PluginTable,
  given: { readonly file?: TestFile; readonly signFrom?: bigint } = {},
): Promise<Journal<never, never>> {
  const { file = createTable().file, signFrom } = given;
  const mark = new SignedMark({
    file: {
      name: file.name,
      read: async () => file.mark ?? "missing",
      write: async (written) => {
        file.mark = written;
      },
    },
    address: "0x00000000000000000000000000000000000000aa",
    signFrom,
    option: "--test-sign-from",
    log: silentLogs.for("test"),
  });
  const journal = new Journal<never, never>(table, dialect as never, mark);
  await journal.open();
  return journal;
}

function prepareOf(round: number): Prepare {
  return { kind: "prepare", round, code: 1, bytes: Uint8Array.of(1) } as Prepare;
}

/** A table in memory, and its content. */
function createTable() {
  const entries = new Map<string, Uint8Array>();
  const table = {
    async *iterate() {
      for (const [key, value] of entries) yield [Buffer.from(key), value];
    },
    async write(changes: readonly TableChange[]) {
      for (const [key, value] of changes) {
        const name = Buffer.from(key).toString();
        if (value === undefined) entries.delete(name);
        else entries.set(name, value);
      }
    },
  } as unknown as PluginTable;
  const file: TestFile = { name: "signed-test.json", mark: undefined };
  return { table, entries, file };
}
