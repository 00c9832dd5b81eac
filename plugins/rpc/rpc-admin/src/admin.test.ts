import { type CompatibilityMode, definePlugin } from "@plinth/core";
import { COMPATIBILITY_MODES } from "@plinth/core/rpc";
import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcAdmin from "./index.js";

const ID = "ab".repeat(64);
const P2P_DISABLED = {
  code: -32000,
  message: "P2P has been disabled. This functionality is not available",
};
const PARSE_ERROR = { code: -32700, message: "Parse error" };
const COUNT = { code: -32602, message: expect.stringContaining("Invalid number of params") };
const TYPE = { code: -32602, message: expect.stringContaining("Invalid enode params") };
const BAD_ID = {
  code: -32000,
  message:
    "Invalid node ID: node ID must have exactly 128 hexadecimal characters and should not include any '0x' hex prefix.",
};
const NAME = { code: -32100, message: "Enode DNS support is disabled" };
const LEVEL = {
  code: -32602,
  message: expect.stringContaining("Invalid log level params (missing or incorrect)"),
};
const FILTER = { code: -32602, message: expect.stringContaining("Invalid log filter params") };

const open = (mode: CompatibilityMode, settings: object = {}) =>
  createTestNode({ plugins: [rpcAdmin], options: { rpcCompatibility: mode }, ...settings });

describe.each(COMPATIBILITY_MODES)("in mode %s", (mode) => {
  describe.each(["admin_addPeer", "admin_removePeer"])("%s", (method) => {
    it.each([
      [[], COUNT],
      [[null], COUNT],
      [[`enode://${ID}@127.0.0.1:1`, 1], COUNT],
      [[[]], TYPE],
      [[{}], TYPE],
      [[7], PARSE_ERROR],
      [[true], PARSE_ERROR],
      [[""], PARSE_ERROR],
      [["enode://zz"], PARSE_ERROR],
      [[`http://${ID}@127.0.0.1:1`], PARSE_ERROR],
      [[`enode://@127.0.0.1:1`], PARSE_ERROR],
      [[`enode://${ID}@127.0.0.1`], PARSE_ERROR],
      [[`enode://${ID}@127.0.0.1:65536`], PARSE_ERROR],
      [[`enode://${ID}@127.0.0.1:x`], PARSE_ERROR],
      [[`enode://${ID}@127.0.0.1:1?discport=x`], PARSE_ERROR],
      [[`enode://${ID}@127.0.0.1:1?discport=65536`], PARSE_ERROR],
      [[`enode://${ID}@127.0.0.1:1?other=1`], PARSE_ERROR],
      [[`enode://${ID}@[::1:1`], PARSE_ERROR],
      [[`enode://${ID.slice(2)}@127.0.0.1:1`], BAD_ID],
      [[`enode://0x${ID}@127.0.0.1:1`], BAD_ID],
      [[`enode://${ID.slice(1)}g@127.0.0.1:1`], BAD_ID],
      [[`enode://${ID.slice(2)}@name:1?discport=x`], BAD_ID],
      [[`enode://${ID}@name.example:1`], NAME],
      [[`enode://${ID}@name.example:99999`], NAME],
      [[`enode://${ID}@[127.0.0.1]:1`], NAME],
      [[`enode://${ID}@127.0.0.1:30303`], P2P_DISABLED],
      [[`enode://${ID.toUpperCase()}@127.0.0.1:0`], P2P_DISABLED],
      [[`enode://${ID}@[2001:db8::1]:30303?discport=0`], P2P_DISABLED],
    ])("responds to %j with an error", async (params, error) => {
      await using node = await open(mode);

      await expect(node.rpc(method, params)).rejects.toMatchObject(error);
    });
  });

  it.each([
    [[], LEVEL],
    [["debug"], LEVEL],
    [["FATAL"], LEVEL],
    [["toString"], LEVEL],
    [[1], LEVEL],
    [["DEBUG", "rpc-eth"], FILTER],
    [["DEBUG", [1]], FILTER],
    [["DEBUG", {}], FILTER],
    [["DEBUG", Array(101).fill("a")], FILTER],
  ])("admin_changeLogLevel rejects %j", async (params, error) => {
    await using node = await open(mode);

    await expect(node.rpc("admin_changeLogLevel", params)).rejects.toMatchObject(error);
  });

  it.each([
    ["OFF", "off"],
    ["ERROR", "error"],
    ["WARN", "warn"],
    ["INFO", "info"],
    ["DEBUG", "debug"],
    ["TRACE", "trace"],
    ["ALL", "trace"],
  ])("admin_changeLogLevel sets %s for all loggers, or for the named ones", async (word, level) => {
    const calls: unknown[] = [];
    const silent = { error() {}, warn() {}, info() {}, debug() {}, trace() {} };
    const logs = {
      for: () => ({ ...silent, isEnabled: () => false }),
      setLevel: (...call: unknown[]) => void calls.push(call),
      levelOf: () => "info" as const,
      names: () => ["rpc-eth", "rpc-admin", "network-devp2p"],
    };
    await using node = await open(mode, { logs });

    expect(await node.rpc("admin_changeLogLevel", [word])).toBe("Success");
    expect(await node.rpc("admin_changeLogLevel", [word, null])).toBe("Success");
    expect(await node.rpc("admin_changeLogLevel", [word, ["rpc-eth"]])).toBe("Success");
    expect(await node.rpc("admin_changeLogLevel", [word, []])).toBe("Success");

    expect(calls).toEqual([
      [level, undefined],
      [level, undefined],
      [level, "rpc-eth"],
    ]);
  });
});

describe("a node without P2P", () => {
  it.each(["admin_peers", "admin_nodeInfo"])("rejects %s in mode besu", async (method) => {
    await using node = await open("besu");

    await expect(node.rpc(method)).rejects.toMatchObject(P2P_DISABLED);
  });

  it.each(["plinth", "spec"] as const)("has no peers in mode %s", async (mode) => {
    await using node = await open(mode);

    expect(await node.rpc("admin_peers")).toEqual([]);
  });

  it.each(["plinth", "spec"] as const)("describes itself in mode %s", async (mode) => {
    const publicKey = new Uint8Array(64).fill(0xab);
    await using node = await createTestNode({
      plugins: [rpcAdmin, keyOf(publicKey)],
      options: { rpcCompatibility: mode, networkId: 2018, securityModule: "test" },
      genesis: { ...DEV_GENESIS, difficulty: `0x1${"0".repeat(20)}` },
    });
    const [header] = await node.mine([]);
    const blocks = node.node.blocks;

    expect(await node.rpc("admin_nodeInfo")).toEqual({
      id: ID,
      name: node.node.clientVersion,
      ports: {},
      protocols: {
        eth: {
          config: DEV_GENESIS.config,
          // A number with an exact form in JSON but not in JavaScript.
          difficulty: 2 ** 80,
          genesis: blocks.findHeader(0n)?.hash,
          head: header?.hash,
          network: 2018,
        },
      },
      activeFork: "London",
    });
  });

  it("has no id without a key", async () => {
    await using node = await open("plinth", {});

    const info = await node.rpc("admin_nodeInfo");

    expect(info).toMatchObject({ name: node.node.clientVersion, ports: {} });
    expect(info).not.toHaveProperty("id");
  });
});

/** A key that signs nothing. */
function keyOf(publicKey: Uint8Array) {
  const unused = async () => {
    throw new Error("no signature was expected");
  };
  return definePlugin({
    name: "keys-test",
    setup: ({ keys }) =>
      keys.driver({
        name: "test",
        open: async () => ({
          publicKey,
          address: `0x${"00".repeat(20)}`,
          sign: unused,
          agree: unused,
        }),
      }),
  });
}
