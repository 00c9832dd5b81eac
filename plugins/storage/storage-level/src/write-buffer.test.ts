import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeBufferBytes } from "./write-buffer.js";

const MIB = 2 ** 20;

it.each([
  ["an empty folder", 0, 16],
  ["a database of 160 MiB", 80, 16],
  ["a database of 400 MiB", 200, 25],
  ["a database of 1.2 GiB", 600, 32],
])("%s has a write buffer in proportion", async (_, tables, mib) => {
  const folder = await mkdtemp(join(tmpdir(), "plinth-buffer-"));
  try {
    for (let number = 1; number <= tables; number++) {
      await writeFile(join(folder, `${String(number).padStart(6, "0")}.ldb`), "");
    }

    expect(await writeBufferBytes(folder)).toBe(mib * MIB);
  } finally {
    await rm(folder, { recursive: true });
  }
});
