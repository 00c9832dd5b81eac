import { createLogs, definePlugin, method, type Runtime, t } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcAdmin from "./index.js";

describe("a log level that is changed while the node runs", () => {
  it("holds for one plugin only, until all get another", async () => {
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

/** A plugin that has something to say when it is asked. */
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
