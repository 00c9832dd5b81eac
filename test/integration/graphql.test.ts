import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** Records at the end of a process which modules it has loaded. */
const NOTE_MODULES = `process.on("exit", () => {
  const { _cache } = require("node:module");
  require("node:fs").writeFileSync(process.env.LOADED_MODULES, Object.keys(_cache).join("\\n"));
});`;

/** The third-party packages that a node has loaded until it stopped. */
async function loadedPackages(folder: TemporaryFolder, words: readonly string[]) {
  const [note, list] = [folder.file("note-modules.cjs"), folder.file("modules.txt")];
  writeFileSync(note, NOTE_MODULES);
  const environment = { NODE_OPTIONS: `--require=${note}`, LOADED_MODULES: list };
  const node = await startNode(["--profile=dev", ...words], { folder: folder.path, environment });
  await node.rpc("eth_chainId");
  await node.stop();
  const names = readFileSync(list, "utf8").matchAll(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/g);
  return new Set([...names].map(([, name = ""]) => name));
}

describe("a node without GraphQL", () => {
  const LIBRARIES = ["graphql", "graphql-jit", "mercurius"];

  it("loads nothing for it, and nothing for unused routes", async () => {
    using folder = temporaryFolder();

    // The explorer, which a development chain has by default, uses a route.
    const without = await loadedPackages(folder, ["--explorer-enabled=false"]);
    const withIt = await loadedPackages(folder, ["--graphql-http-enabled"]);

    expect(LIBRARIES.filter((name) => withIt.has(name))).toEqual(LIBRARIES);
    expect(without.has("classic-level")).toBe(true);
    expect(without.has("fastify")).toBe(false);
    expect(LIBRARIES.filter((name) => without.has(name))).toEqual([]);
  });
});

describe("GraphQL", () => {
  it("is served by the program, beside JSON-RPC", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["--profile=dev", "--graphql-http-enabled"], {
      folder: folder.path,
    });

    const response = await fetch(node.graphqlUrl, { method: "POST", body: "{chainID}" });

    expect(await response.json()).toEqual({ data: { chainID: "0x539" } });
    expect(node.output()).toContain("GraphQL HTTP service started and listening on 127.0.0.1:");
  });

  it("is not served over WebSocket", async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--graphql-http-enabled", "--rpc-ws-enabled"];
    await using node = await startNode(words, { folder: folder.path });

    const upgraded = new WebSocket(node.graphqlUrl.replace("http:", "ws:"), "graphql-transport-ws");
    const [error] = await new Promise<readonly Error[]>((done) => {
      upgraded.on("error", (problem) => done([problem]));
      upgraded.on("open", () => done([]));
    });
    expect(error?.message).toMatch(/Unexpected server response: 4\d\d/);

    const socket = new WebSocket(node.wsUrl);
    const answer = await new Promise((done, fail) => {
      socket.on("open", () => socket.send('{"query":"{chainID}"}'));
      socket.on("message", (message) => done(JSON.parse(String(message))));
      socket.on("error", fail);
    });
    socket.close();
    expect(answer).toMatchObject({ error: { code: -32600 } });
  });
});
