import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacy from "@plinth/plugin-privacy";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEea from "./index.js";

describe("eea_sendRawTransaction", () => {
  it.each([
    ["is not text", [{}], -32602],
    ["is missing", [], -32602],
    ["is given, while privacy is off", ["0x"], -50100],
  ])("answers an error when its transaction %s", async (_, params, code) => {
    await using node = await createTestNode({
      plugins: [enclave, enclaveTessera, privacy, rpcEea],
    });

    await expect(node.rpc("eea_sendRawTransaction", params)).rejects.toMatchObject({ code });
  });
});
