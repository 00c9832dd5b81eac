import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { expect, it } from "vitest";
import { verifyFiles } from "./check-open.js";

const MIB = 2 ** 20;

it("the newest table is read completely at the start, also if it is of a large write buffer", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plinth-test-"));
  try {
    // The second opening writes the log of the first one into a table.
    for (const value of [randomBytes(20 * MIB), randomBytes(1)]) {
      const level = new ClassicLevel<Uint8Array, Uint8Array>(folder, {
        ...{ keyEncoding: "view", valueEncoding: "view", writeBufferSize: 32 * MIB },
      });
      await level.put(randomBytes(4), value);
      await level.close();
    }
    const skipped: string[] = [];
    await verifyFiles(folder, { onSkipped: (path) => skipped.push(path) });

    expect(skipped).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
