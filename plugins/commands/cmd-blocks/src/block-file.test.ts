import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeRlp } from "@plinth/core";
import { afterAll, describe, expect, it } from "vitest";
import { BlockFile } from "./block-file.js";

const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
  const path = join(folder, "blocks.rlp");
  writeFileSync(path, bytes);
  await using file = await BlockFile.open(path);
  const found: Uint8Array[] = [];
  for await (const { bytes } of file.blocks()) found.push(Uint8Array.from(bytes));
  return found;
}

const items = [1, 60, 300, 3_000_000, 5].map((length) =>
  encodeRlp([new Uint8Array(length).fill(7)]),
);

describe("a file of blocks", () => {
  it("is read item by item, regardless of their length", async () => {
    expect((await read(Buffer.concat(items))).map(({ length }) => length)).toEqual(
      items.map(({ length }) => length),
    );
  });

  it("may be empty", async () => {
    expect(await read(new Uint8Array())).toEqual([]);
  });

  it.each([
    [
      "ends in a block",
      Buffer.concat(items).subarray(0, 200),
      /at byte 66, it ends after 134 of 306/,
    ],
    [
      "claims too much",
      Uint8Array.from([0xff, 0x7f, 1, 1, 1, 1, 1, 1, 1]),
      /longer than any block/,
    ],
    ["has a non-canonical length", Uint8Array.from([0xf8, 1, 0]), /belongs in the prefix/],
  ])("is rejected if it %s", async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: "IMPORT_FAILED" });
    await expect(read(bytes)).rejects.toThrow(message);
  });
});
