import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.js";

describe("the data folder", () => {
  it("is created with its parents, and used if it exists", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "a", "b", "c");

    await makeFolder(path);
    await makeFolder(path);

    expect(statSync(path).isDirectory()).toBe(true);
  });

  it("is rejected if a file has its name, or that of a parent", async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");

    await expect(makeFolder(file)).rejects.toThrow(
      `${file}: already exists and is not a directory`,
    );
    await expect(makeFolder(join(file, "data"))).rejects.toThrow("cannot create the folder");
  });

  it.runIf(existsSync("/proc/self"))("is rejected if no folder can be created", async () => {
    await expect(makeFolder("/proc/no/data")).rejects.toThrow(
      "data-path: cannot create the folder /proc/no/data: ",
    );
  });
});
