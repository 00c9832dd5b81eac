import { expect, it } from "vitest";
import { createNode } from "../run/create-node.js";

it("refuses to start a node without an EVM", async () => {
  const node = await createNode({
    plugins: [],
    genesis: { config: {} },
    options: { keyValueStorage: "memory" },
  });

  await expect(node.start()).rejects.toMatchObject({
    code: "DRIVER_UNKNOWN",
    message: expect.stringContaining("--evm"),
  });
});
