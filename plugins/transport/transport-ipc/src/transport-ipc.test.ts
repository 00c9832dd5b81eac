import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, definePlugin, method, t } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import transportIpc from "./index.js";

const ECHO = '{"jsonrpc":"2.0","id":7,"method":"test_echo","params":["hé\\u0022{llo"]}';
const ECHOED = '{"jsonrpc":"2.0","id":7,"result":"hé\\"{llo"}';

describe("the socket", () => {
  it("is accessible to its user only, and removed when the node stops", async () => {
    await using node = await start();
    const { mode } = statSync(node.path);

    await node.stop();

    expect((mode & 0o777).toString(8)).toBe("600");
    expect(existsSync(node.path)).toBe(false);
  });

  it("responds to each request with a line", async () => {
    await using node = await start();

    expect(await node.exchange(ECHO, 1)).toEqual([ECHOED]);
    expect(await node.exchange(`[${ECHO}]`, 1)).toEqual([`[${ECHOED}]`]);
  });

  it("accepts requests in pieces, and several at once", async () => {
    await using node = await start();
    const bytes = Buffer.from(`${ECHO}\n${ECHO}${ECHO}`);

    const lines = await node.exchange(
      [...bytes].map((byte) => Buffer.from([byte])),
      3,
    );

    expect(lines).toEqual([ECHOED, ECHOED, ECHOED]);
  });

  it.each([
    ["an empty array", "[]", "null", -32600, "Invalid Request"],
    ["no JSON", "hello", "null", -32700, "Parse error"],
    ["a request without a method", '{"id":7}', "7", -32600, "Invalid Request"],
    [
      "a namespace that is not offered",
      '{"id":7,"method":"eth_chainId"}',
      "7",
      -32604,
      "Method not enabled: the namespace ETH is not enabled here; add ETH to --Xrpc-ipc-api",
    ],
  ])("responds to %s with an error", async (_, text, id, code, message) => {
    await using node = await start();

    const [line] = await node.exchange(text, 1);

    expect(JSON.parse(String(line))).toEqual({
      jsonrpc: "2.0",
      id: JSON.parse(id),
      error: { code, message },
    });
  });

  it("pushes notifications as lines", async () => {
    await using node = await start();

    const lines = await node.exchange('{"id":1,"method":"test_push"}', 2);

    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      jsonrpc: "2.0",
      method: "test_pushed",
      params: { n: 1 },
    });
  });

  it("ends a connection whose message does not end, and continues", async () => {
    await using node = await start();
    const socket = connect(node.path);
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));

    socket.write(`["${"x".repeat(6_000_000)}`);
    await closed;

    expect(await node.exchange(ECHO, 1)).toEqual([ECHOED]);
  });

  it("replaces a stale one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ipc-"));
    const path = join(folder, "plinth.ipc");
    const other = createServer().listen(path);
    await once(other, "listening");
    const refused = start(path).then(
      () => "started",
      (error: Error) => error.message,
    );
    expect(await refused).toContain("another program listens on");
    other.close();
    writeFileSync(path, "");

    expect(await start(path).catch((error: Error) => error.message)).toContain("is not a socket");
    rmSync(path);
    await using node = await start(path);

    expect(await node.exchange(ECHO, 1)).toEqual([ECHOED]);
    rmSync(folder, { recursive: true });
  });
});

const plugin = definePlugin({
  name: "rpc-test",
  setup(node) {
    node.rpc.namespace("test", {
      echo: method({
        summary: "Returns its argument.",
        params: { text: t.text },
        result: t.text,
        handle: ({ text }) => text,
      }),
      push: method({
        summary: "Pushes.",
        result: t.boolean,
        handle(_, { client }: Call) {
          client.notify?.("test_pushed", { n: 1 });
          return true;
        },
      }),
    });
  },
});

async function start(given?: string) {
  const folder = mkdtempSync(join(tmpdir(), "ipc-"));
  const path = given ?? join(folder, "plinth.ipc");
  const node = await createTestNode({
    plugins: [transportIpc, plugin],
    options: { XrpcIpcEnabled: true, XrpcIpcPath: path, XrpcIpcApi: ["TEST"] },
  });
  return {
    ...node,
    path,
    /** Writes pieces and reads the given number of lines. */
    async exchange(pieces: string | readonly Buffer[], count: number): Promise<readonly string[]> {
      const socket = connect(path).setEncoding("utf8");
      let text = "";
      for (const piece of typeof pieces === "string" ? [pieces] : pieces) {
        await new Promise((resolve) => socket.write(piece, resolve));
      }
      for await (const chunk of socket) {
        text += chunk;
        if (text.split("\n").length > count) break;
      }
      socket.destroy();
      return text.split("\n").slice(0, count);
    },
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
