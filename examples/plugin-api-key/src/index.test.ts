import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import apiKey from "./index.js";

it("admits callers with a key of the file, and no others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plinth-keys-"));
  const apiKeyFile = join(folder, "keys");
  writeFileSync(apiKeyFile, "alice k3y-of-alice\nbob k3y-of-bob\n");
  const options = { rpcHttpEnabled: true, rpcHttpPort: 0, apiKeyFile };
  await using node = await createTestNode({ plugins: [apiKey, transportHttp], options });
  rmSync(folder, { recursive: true });
  const port = node.node.rpc.endpoints()[0]?.address?.port;
  const send = async (headers: Record<string, string>) => {
    const body = '{"id":1,"method":"eth_blockNumber","params":[]}';
    return (await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body })).status;
  };

  expect(await send({ "x-api-key": "k3y-of-bob" })).toBe(200);
  expect(await send({ "x-api-key": "k3y-of-eve" })).toBe(401);
  expect(await send({})).toBe(401);
});
