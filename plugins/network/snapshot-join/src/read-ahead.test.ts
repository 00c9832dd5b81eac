import type { FileEntry } from "@plinth/kit-snapshot";
import { describe, expect, it } from "vitest";
import { ReadAhead } from "./read-ahead.js";

const MIB = 2 ** 20;

function filesOf(...sizes: readonly number[]): readonly FileEntry[] {
  return sizes.map((bytes, index) => ({ name: `state-${index}`, bytes }) as FileEntry);
}

describe("files that are read ahead", () => {
  it("are the next ones, each once, and few enough for the memory", async () => {
    const files = filesOf(MIB, MIB, MIB, 2 * MIB, MIB);
    const started: string[] = [];
    const ahead = new ReadAhead(files, async ({ name }) => {
      started.push(name);
      return new Uint8Array(1);
    });

    await ahead.take(files[0] as FileEntry);
    expect(started).toEqual(["state-0", "state-1", "state-2"]);
    await ahead.take(files[1] as FileEntry);
    expect(started).toEqual(["state-0", "state-1", "state-2", "state-3"]);
    for (const file of files.slice(2)) await ahead.take(file);
    expect(started).toEqual(files.map(({ name }) => name));
  });

  it("fail when they are taken, not before", async () => {
    const files = filesOf(1, 1);
    const ahead = new ReadAhead(files, async ({ name }) => {
      if (name === "state-1") throw new Error("gone");
      return new Uint8Array(1);
    });
    await ahead.take(files[0] as FileEntry);

    await expect(ahead.take(files[1] as FileEntry)).rejects.toThrow("gone");
  });
});
