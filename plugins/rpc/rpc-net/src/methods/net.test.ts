import { definePlugin, type Plugin } from "@plinth/core";
import type { ListenAddress } from "@plinth/core/rpc";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcNet from "../index.js";

describe("net_version", () => {
  it("returns the chain id if no network id is set", async () => {
    await using node = await createTestNode({ plugins: [rpcNet] });

    expect(await node.rpc("net_version")).toBe("1337");
  });

  it("returns the network id, which may differ", async () => {
    await using node = await createTestNode({ plugins: [rpcNet], options: { networkId: 2018 } });

    expect(await node.rpc("net_version")).toBe("2018");
  });
});

describe("a node without P2P", () => {
  it("does not listen", async () => {
    await using node = await createTestNode({ plugins: [rpcNet] });

    expect(await node.rpc("net_listening")).toBe(false);
  });

  it.each(["net_peerCount", "net_enode"])("rejects %s", async (name) => {
    await using node = await createTestNode({ plugins: [rpcNet] });

    await expect(node.rpc(name)).rejects.toMatchObject({
      code: -32000,
      message: "P2P has been disabled. This functionality is not available",
    });
  });
});

describe("net_services", () => {
  it("is empty when nothing listens", async () => {
    await using node = await createTestNode({ plugins: [rpcNet] });

    expect(await node.rpc("net_services")).toEqual({});
  });

  it("lists listeners under the names clients expect, with ports as text", async () => {
    await using node = await createTestNode({
      plugins: [
        rpcNet,
        listenerOf("json-rpc", { host: "127.0.0.1", port: 8545 }),
        listenerOf("ws-rpc", { host: "0.0.0.0", port: 8546 }),
        listenerOf("other", { host: "127.0.0.1", port: 1 }),
      ],
    });

    expect(await node.rpc("net_services")).toEqual({
      jsonrpc: { host: "127.0.0.1", port: "8545" },
      ws: { host: "0.0.0.0", port: "8546" },
      other: { host: "127.0.0.1", port: "1" },
    });
  });

  it("omits listeners that have closed", async () => {
    const listener = listenerOf("json-rpc", { host: "127.0.0.1", port: 8545 });
    await using node = await createTestNode({ plugins: [rpcNet, listener] });
    const endpoint = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");

    if (endpoint !== undefined) node.node.rpc.close(endpoint);

    expect(await node.rpc("net_services")).toEqual({});
  });
});

/** A plugin that reports a listener. */
function listenerOf(name: string, address: ListenAddress): Plugin {
  return definePlugin({
    name: `transport-${name}`,
    setup: (node) =>
      node.onStart(({ rpc }) => {
        const endpoint = rpc.endpoint({
          name,
          transport: "test",
          namespaces: [],
          duplex: false,
          maxBatchSize: 0,
        });
        endpoint.listening(address);
      }),
  });
}
