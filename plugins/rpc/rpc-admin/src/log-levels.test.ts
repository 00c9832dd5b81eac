import { definePlugin, method, type Runtime, t } from "@plinth/core";
import { createLogs } from "@plinth/core/kernel";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcAdmin from "./index.js";

describe("a log level that is changed while the node runs", () => {
  it("applies to one plugin only, until all get another", async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const logs = createLogs({ level: "info", format: "json", color: false, write });
    await using node = await createTestNode({
      plugins: [rpcAdmin, talker("one"), talker("two")],
      logs,
    });
    const heard = async () => {
      lines.length = 0;
      await node.rpc("one_say");
      await node.rpc("two_say");
      return lines.map((line) => JSON.parse(line));
    };

    expect(await heard()).toEqual([]);
    await node.rpc("admin_changeLogLevel", ["DEBUG", ["one"]]);
    expect(await heard()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        level: "debug",
        plugin: "one",
        message: "hello",
      },
    ]);
    await node.rpc("admin_changeLogLevel", ["ALL"]);
    expect((await heard()).map(({ plugin }) => plugin)).toEqual(["one", "two"]);
    await node.rpc("admin_changeLogLevel", ["OFF"]);
    expect(await heard()).toEqual([]);
  });
});

describe("names of loggers", () => {
  it("are those of this node, or packages of Besu", async () => {
    const { node, levels } = await startWithLevels();
    await node.rpc("admin_changeLogLevel", [
      "DEBUG",
      ["org.hyperledger.besu.ethereum.api.jsonrpc"],
    ]);
    expect(levels()).toMatchObject({ "rpc-admin": "debug", rpc: "debug", one: "info" });
    await node.rpc("admin_changeLogLevel", ["TRACE", ["org.hyperledger.besu.ethereum.api"]]);
    expect(levels()).toMatchObject({ "rpc-admin": "trace", core: "info", one: "info" });
    await node.rpc("admin_changeLogLevel", ["WARN", ["org.hyperledger.besu.ethereum.core.Block"]]);
    expect(levels()).toMatchObject({ "rpc-admin": "trace", core: "warn", one: "info" });
    await node.rpc("admin_changeLogLevel", ["ERROR", ["org.hyperledger.besu"]]);

    expect(new Set(Object.values(levels()))).toEqual(new Set(["error"]));
    await node.stop();
  });

  it.each(["rpc-other", "", "org.none", "org.hyperledger.besu.none", "org.hyperledger.besux"])(
    "that do not exist are rejected, and nothing changes: %j",
    async (name) => {
      const { node, levels } = await startWithLevels();

      await expect(
        node.rpc("admin_changeLogLevel", ["DEBUG", ["one", name]]),
      ).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(
          new RegExp(`^Invalid log filter params: filter: unknown logger "${name}"; .* one, `),
        ),
      });
      expect(levels().one).toBe("info");
      await node.stop();
    },
  );

  it("that do not exist are accepted in Besu mode, and not stored", async () => {
    const { node, levels, logs } = await startWithLevels("besu");

    expect(await node.rpc("admin_changeLogLevel", ["DEBUG", ["org.none", "one"]])).toBe("Success");
    expect(levels().one).toBe("debug");
    expect(logs.levelOf("org.none")).toBe("info");
    await node.stop();
  });
});

/** A node with a plugin `one`, and the levels of all loggers. */
async function startWithLevels(rpcCompatibility = "plinth") {
  const logs = createLogs({ level: "info", format: "json", color: false, write: () => {} });
  const plugins = [rpcAdmin, talker("one")];
  const node = await createTestNode({ plugins, logs, options: { rpcCompatibility } });
  const levels = () => Object.fromEntries(logs.names().map((name) => [name, logs.levelOf(name)]));
  return { node, levels, logs };
}

/** A plugin that logs on request. */
function talker(name: string) {
  const say = method({
    summary: "Says hello.",
    result: t.boolean,
    handle(_, { log }: Runtime) {
      log.debug("hello");
      return true;
    },
  });
  return definePlugin({ name, setup: ({ rpc }) => rpc.namespace(name, { say }) });
}
