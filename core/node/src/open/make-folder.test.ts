import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.js";

describe("the data folder", () => {
  it("is made with those above it, and used where it is there", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "a", "b", "c");

    await makeFolder(path);
    await makeFolder(path);

    expect(statSync(path).isDirectory()).toBe(true);
  });

  it("is refused where a file has its name, or that of one above it", async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");

    await expect(makeFolder(file)).rejects.toThrow(
      `${file}: already exists and is not a directory`,
    );
    await expect(makeFolder(join(file, "data"))).rejects.toThrow("cannot make the folder");
  });

  it.runIf(existsSync("/proc/self"))("is refused where no folder can be made", async () => {
    await expect(makeFolder("/proc/no/data")).rejects.toThrow(
      "data-path: cannot make the folder /proc/no/data: ",
    );
  });
});
