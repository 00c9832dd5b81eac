import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hash, Runtime } from "@plinth/core";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type Mark, NO_MARK } from "./mark.js";
import { SignedFile } from "./signed-file.js";

const ADDRESS = "0x00000000000000000000000000000000000000aa";
const OTHER = "0x00000000000000000000000000000000000000bb";
const CHAIN: Hash = `0x${"11".repeat(32)}`;
const SLOT_BYTES = 4096;

describe("the file that records how far a node has signed", () => {
  it("has the last mark written, across restarts", async () => {
    await using folder = await createDataFolder();
    const heights = [1n, 2n, 3n, 4n, 5n];
    for (const height of heights) {
      const file = openFile(folder.path);
      await file.read(ADDRESS);
      await file.write(markAt(height), ADDRESS);
      await file.write(markAt(height, 1), ADDRESS);

      expect(await openFile(folder.path).read(ADDRESS)).toEqual(markAt(height, 1));
    }
  });

  it("has the previous mark if a crash tears the last one", async () => {
    await using folder = await createDataFolder();
    const file = openFile(folder.path);
    for (const height of [1n, 2n, 3n]) await file.write(markAt(height), ADDRESS);
    const path = join(folder.path, file.name);
    const whole = readFileSync(path);

    for (const slot of [0, 1]) {
      writeFileSync(path, whole.fill(0, slot * SLOT_BYTES + 20, slot * SLOT_BYTES + 60));
      const found = await openFile(folder.path).read(ADDRESS);
      expect(found).toEqual(slot === 0 ? expect.objectContaining({ writes: 1 }) : "damaged");
    }
  });

  it("is written again if it was removed, and has the last of two marks that differ only in the option", async () => {
    await using folder = await createDataFolder();
    const file = openFile(folder.path);
    for (const from of [5n, undefined, 6n, undefined]) {
      await file.write({ ...markAt(4n), from }, ADDRESS);
      expect(await openFile(folder.path).read(ADDRESS)).toEqual({ ...markAt(4n), from });
    }
    rmSync(join(folder.path, file.name));
    await file.write(markAt(5n), ADDRESS);

    expect(await openFile(folder.path).read(ADDRESS)).toEqual(markAt(5n));
  });

  it("is ignored for another key, another chain, or a missing folder", async () => {
    await using folder = await createDataFolder();
    const file = openFile(folder.path);
    await file.write(markAt(1n), ADDRESS);

    expect(await openFile(folder.path).read(OTHER)).toBe("missing");
    expect(await openFile(folder.path, `0x${"22".repeat(32)}`).read(ADDRESS)).toBe("missing");
    const replaced = openFile(folder.path);
    await replaced.read(OTHER);
    await replaced.write(NO_MARK, OTHER);
    expect(await openFile(folder.path).read(OTHER)).toEqual(NO_MARK);
    const absent = openFile(join(folder.path, "absent"));
    await absent.write(markAt(1n), ADDRESS);
    expect(await absent.read(ADDRESS)).toBe("missing");
  });

  it("keeps the operator's block, and heights of any size", async () => {
    await using folder = await createDataFolder();
    const mark = {
      ...markAt(2n ** 63n, 9),
      floor: 2n ** 62n,
      from: 2n ** 62n + 1n,
      epoch: 7,
      isFloorNamed: true,
    };
    await openFile(folder.path).write(mark, ADDRESS);

    expect(await openFile(folder.path).read(ADDRESS)).toEqual(mark);
    expect(readFileSync(join(folder.path, "signed-test.json"))).toHaveLength(2 * SLOT_BYTES);
  });
});

/** The folder of a node whose database is on disk. */
async function createDataFolder() {
  const folder = await createTempFolder();
  mkdirSync(join(folder.path, "database"));
  return folder;
}

function markAt(height: bigint, round = 0): Mark {
  return { ...NO_MARK, height, round, writes: 1 };
}

function openFile(dataPath: string, hash = CHAIN): SignedFile {
  const file = new SignedFile("signed-test.json");
  const chain = { blocks: { findHeader: () => ({ hash }) } };
  file.open({ dataPath, chain } as unknown as Pick<Runtime, "dataPath" | "chain">);
  return file;
}
