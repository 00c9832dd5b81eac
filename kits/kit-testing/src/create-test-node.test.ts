import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, method, RpcError, type Runtime, raw, stream, t } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { devChain } from "./chain/dev-chain.js";
import { createTestNode } from "./create-test-node.js";
import { FakeClock } from "./fake-clock.js";

describe("a test node", () => {
  it("responds to a call with its result", async () => {
    await using node = await createTestNode({ plugins: [testMethods] });

    expect(await node.rpc("test_add", ["0x1", "0x2"])).toBe("0x3");
  });

  it("rejects with the code, the message and the data of an error", async () => {
    await using node = await createTestNode({ plugins: [testMethods] });

    await expect(node.rpc("test_fail")).rejects.toMatchObject({
      code: -32000,
      message: "it went wrong",
      data: "0x1234",
    });
  });

  it.each(["test_bytes", "test_pieces"])("joins the parts of %s", async (name) => {
    await using node = await createTestNode({ plugins: [testMethods] });

    expect(await node.rpc(name)).toEqual(["zwölf"]);
  });

  it("serves every namespace, but not methods that need a caller it can push to", async () => {
    await using node = await createTestNode({ plugins: [testMethods] });

    await expect(node.rpc("test_subscribe")).rejects.toMatchObject({ code: -32604 });
  });

  it("has the chain id 1337 by default", async () => {
    await using usual = await createTestNode({ plugins: [testMethods] });
    await using other = await createTestNode({
      plugins: [testMethods],
      genesis: { config: { chainId: 5, dev: {} } },
    });

    expect([await usual.rpc("test_chain"), await other.rpc("test_chain")]).toEqual([
      "0x539",
      "0x5",
    ]);
  });

  it("reads a given genesis file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plinth-testing-"));
    const genesisFile = join(folder, "genesis.json");
    await writeFile(genesisFile, '{"config":{"chainId":7,"dev":{}}}');

    await using node = await createTestNode({
      plugins: [testMethods, ...devChain],
      options: { genesisFile },
    });

    expect(await node.rpc("test_chain")).toBe("0x7");
    await rm(folder, { recursive: true });
  });

  it("accepts options by the names used in code", async () => {
    await using node = await createTestNode({ options: { identity: "me" } });

    expect(node.node.clientVersion).toMatch(/^plinth\/me\//);
    await expect(createTestNode({ options: { identityy: "me" } })).rejects.toMatchObject({
      code: "OPTION_UNKNOWN",
    });
  });

  it("has the given time", async () => {
    const clock = new FakeClock(5000);
    await using node = await createTestNode({ plugins: [testMethods], clock });

    await clock.advance(37);

    expect(await node.rpc("test_now")).toBe(5037);
  });

  it("removes plugins", async () => {
    await using node = await createTestNode({ plugins: [testMethods] });

    await node.disable("rpc-test");

    await expect(node.rpc("test_add", ["0x1", "0x2"])).rejects.toMatchObject({ code: -32601 });
  });

  it("stops at the end of its block, also if the block fails", async () => {
    const stopped: string[] = [];
    const plugin = definePlugin({
      name: "noticing",
      setup: (node) => node.onStop(() => void stopped.push("stopped")),
    });

    const failing = (async () => {
      await using _node = await createTestNode({ plugins: [plugin] });
      throw new Error("the test failed");
    })();

    await expect(failing).rejects.toThrow("the test failed");
    expect(stopped).toEqual(["stopped"]);
  });
});

const testMethods = definePlugin({
  name: "rpc-test",
  setup: (node) =>
    node.rpc.namespace("test", {
      add: method({
        summary: "Adds.",
        params: { left: t.quantity, right: t.quantity },
        result: t.quantity,
        handle: ({ left, right }) => left + right,
      }),
      fail: method({
        summary: "Fails.",
        result: t.text,
        handle() {
          throw new RpcError(-32000, "it went wrong", "0x1234");
        },
      }),
      bytes: method({
        summary: "Returns JSON that is already encoded.",
        result: t.json,
        handle: () => raw(Buffer.from('["zwölf"]')),
      }),
      pieces: method({
        summary: "Returns chunks, a character split in two.",
        result: t.json,
        handle: () => stream(inPieces(Buffer.from('["zwölf"]'), 5)),
      }),
      subscribe: method({
        summary: "Is for callers that can receive notifications.",
        result: t.text,
        caller: "duplex",
        handle: () => "0x1",
      }),
      chain: method({
        summary: "Returns the chain id.",
        result: t.optional(t.quantity),
        handle: (_, { chain }: Runtime) => chain.chainId,
      }),
      now: method({
        summary: "Returns the time.",
        result: t.integer(),
        handle: (_, { clock }: Runtime) => clock.now(),
      }),
    }),
});

async function* inPieces(bytes: Uint8Array, cut: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, cut);
  yield bytes.subarray(cut);
}
