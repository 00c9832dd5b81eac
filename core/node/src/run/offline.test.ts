import { resolve } from "node:path";
import {
  type CommandContext,
  command,
  defineContributionPoint,
  definePlugin,
  type Options,
  option,
} from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { nodeKeyDrivers } from "@plinth/core/network";
import { storageDrivers } from "@plinth/core/storage";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";
import type { Node } from "./node.js";
import { runCommand } from "./offline.js";

const colors = defineContributionPoint<string>("paint.colors", { summary: "Colors." });
const summary = "What it is for.";

describe("runCommand", () => {
  it("passes a command its flags, its arguments, and its input and output", async () => {
    const { seen, keep } = keepContext({ type: option.text({ summary }) });
    const node = await createNode({ plugins: [] });
    const input = { ...anInput(), flags: { type: "QBFT" }, args: ["a", "b"] };

    await runCommand(node, keep, input);

    expect(seen()).toMatchObject(input);
  });

  it("provides the contributions of plugins, and the data path of the node", async () => {
    const { seen, keep } = keepContext();
    const paint = definePlugin({
      name: "paint",
      setup: (node) => node.contribute(colors, "red"),
    });
    const node = await createNode({ plugins: [paint], options: { dataPath: "some/data" } });

    await runCommand(node, keep, anInput());

    expect(seen().contributions(colors)).toEqual(["red"]);
    expect(seen().dataPath).toBe(resolve("some/data"));
  });

  it("provides the driver selected by the options", async () => {
    const { seen, keep } = keepContext();
    const vault = { name: "vault", open: () => Promise.reject(new Error("must not be opened")) };
    const keys = definePlugin({ name: "keys", setup: (node) => node.keys.driver(vault) });
    const chosen = await createNode({ plugins: [keys], options: { securityModule: "VAULT" } });
    const other = await createNode({ plugins: [keys] });

    await runCommand(chosen, keep, anInput());
    expect(seen().driver(nodeKeyDrivers)).toBe(vault);
    await runCommand(other, keep, anInput());

    expect(() => seen().driver(nodeKeyDrivers)).toThrowError(
      expect.objectContaining({ code: "DRIVER_UNKNOWN" }),
    );
  });

  it("provides LevelDB for the database of Besu, as for a node", async () => {
    const { seen, keep } = keepContext();
    const leveldb = { name: "leveldb", open: () => Promise.reject(new Error("not opened")) };
    const level = definePlugin({ name: "level", setup: ({ storage }) => storage.driver(leveldb) });
    const node = await createNode({ plugins: [level], options: { keyValueStorage: "ROCKSDB" } });

    await runCommand(node, keep, anInput());

    expect(seen().driver(storageDrivers)).toBe(leveldb);
  });

  it("opens and starts nothing", async () => {
    const events: string[] = [];
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        node.storage.driver({
          name: "spy",
          open() {
            events.push("open");
            return Promise.reject(new Error("must not be opened"));
          },
        });
        node.onStart(() => void events.push("onStart"));
        node.hooks.lifecycle.opened.tap(() => void events.push("opened"));
      },
    });
    const options = { keyValueStorage: "spy" };
    const node = await createNode({ plugins: [plugin], options });

    await runCommand(node, keepContext().keep, anInput());

    expect(events).toEqual([]);
  });

  it("calls cli.beforeRun first", async () => {
    const events: unknown[] = [];
    const node = await guardedNode((event) => void events.push(event));
    const keep = aCommand(async () => void events.push("run"));

    await runCommand(node, keep, { ...anInput(), flags: { type: "QBFT" } });

    expect(events).toEqual([{ id: "keep", flags: { type: "QBFT" } }, "run"]);
  });

  it("does not run a command that cli.beforeRun rejects", async () => {
    let ran = false;
    const node = await guardedNode(() => {
      throw new Error("not today");
    });
    const keep = aCommand(async () => {
      ran = true;
    });

    await expect(runCommand(node, keep, anInput())).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "guard",
    });
    expect(ran).toBe(false);
  });

  it.each([
    ["the result of the command", async () => 2, 2],
    ["0 by default", async () => {}, 0],
  ])("returns the exit code: %s", async (_, run: AnyCommand["run"], code) => {
    const node = await createNode({ plugins: [] });
    const definition = command({ id: "keep", summary: "A command.", flags: {}, run });

    expect(await runCommand(node, definition, anInput())).toBe(code);
  });

  it("propagates the error of a command", async () => {
    const error = new Error("boom");
    const node = await createNode({ plugins: [] });

    await expect(
      runCommand(
        node,
        aCommand(() => Promise.reject(error)),
        anInput(),
      ),
    ).rejects.toBe(error);
  });
});

function guardedNode(tap: (event: unknown) => void): Promise<Node> {
  const guard = definePlugin({
    name: "guard",
    setup: (node) => node.hooks.cli.beforeRun.tap(tap),
  });
  return createNode({ plugins: [guard] });
}

function keepContext(flags: Options = {}) {
  let kept: CommandContext<Options> | undefined;
  const keep = command({
    id: "keep",
    summary: "Keeps its context.",
    flags,
    async run(context) {
      kept = context;
    },
  });
  const seen = (): CommandContext<Options> => {
    if (kept === undefined) throw new Error("the command has not run");
    return kept;
  };
  return { keep, seen };
}

function aCommand(run: () => Promise<void>): AnyCommand {
  return command({ id: "keep", summary: "A command.", flags: {}, run });
}

function anInput() {
  const io = { read: async () => "", warn() {}, write: async () => {} };
  return { flags: {}, args: [] as string[], io, log: silentLogs.for("command") };
}
