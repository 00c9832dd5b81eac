import { createTempFolder, createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import cmdDisk from "./index.js";

it("is rejected if data is not in files", async () => {
  await using folder = await createTempFolder();
  const options = { keyValueStorage: "memory", dataPath: folder.path };
  await using node = await createTestNode({ plugins: [cmdDisk], options });

  await expect(node.command("disk")).rejects.toMatchObject({ code: "STORAGE_WITHOUT_FILES" });
});
