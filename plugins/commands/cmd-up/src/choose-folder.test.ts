import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { chooseFolder } from "./choose-folder.js";

describe("the folder of a network", () => {
  it("is that of the flag, otherwise that of the option before the command", () => {
    const given = { dataPath: "before", isDataPathSet: true };

    expect(chooseFolder("after", given)).toBe(resolve("after"));
    expect(chooseFolder(undefined, given)).toBe(resolve("before"));
  });

  it("is separate from the data of a single node by default", async () => {
    await using folder = await createTempFolder();
    const context = { dataPath: folder.path, isDataPathSet: false };
    writeFileSync(join(folder.path, "DATABASE_METADATA.json"), "{}");

    expect(chooseFolder(undefined, context)).toBe(resolve("plinth-network"));
  });

  it("is that of a network which an older version created there", async () => {
    await using folder = await createTempFolder();
    writeFileSync(join(folder.path, "network.json"), "{}");

    expect(chooseFolder(undefined, { dataPath: folder.path, isDataPathSet: false })).toBe(
      folder.path,
    );
  });
});
