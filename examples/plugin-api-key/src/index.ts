import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { definePlugin, option, RpcError } from "@plinth/core";

const hashOf = (key: string) => createHash("sha256").update(key).digest();

export default definePlugin({
  name: "api-key",
  essential: true, // Essential: a node continues without other plugins that fail.
  options: {
    apiKeyFile: option.path({ summary: "File with a line for each client: its name and its key." }),
  },
  setup({ config, hooks, onStart }) {
    const { apiKeyFile } = config;
    if (apiKeyFile === undefined) return;
    let clients: readonly { readonly name: string; readonly hash: Buffer }[] = [];
    onStart(async () => {
      const lines = (await readFile(apiKeyFile, "utf8")).split("\n").filter(Boolean);
      clients = lines.map((line) => {
        const [name = "", key = ""] = line.split(" ");
        return { name, hash: hashOf(key) };
      });
    });
    hooks.rpc.authorize.tap(({ client }) => {
      // The IPC socket has no headers, and only the user of the node can open it.
      if (client.headers === undefined) return undefined;
      const given = hashOf(String(client.headers["x-api-key"]));
      const known = clients.find(({ hash }) => timingSafeEqual(hash, given));
      if (known === undefined) return RpcError.unauthorized();
      client.identity = { name: known.name, permissions: [] };
      return undefined;
    });
  },
});
