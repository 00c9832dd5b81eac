import { createMemoryStorageDriver, definePlugin } from "@plinth/core";
import { createTempFolder, createTestNode, devChain, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

const genesis = { config: { chainId: 1337, dev: {} }, gasLimit: "0x1c9c380" };
const options = { keyValueStorage: "memory" };

describe("stopping", () => {
  it("aborts the signal first, then notifies taps with the reason, then runs onStop", async () => {
    const events: string[] = [];
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        let signal: AbortSignal | undefined;
        node.onStart((runtime) => {
          signal = runtime.signal;
        });
        node.hooks.lifecycle.stopping.tap(({ reason }) => {
          events.push(`stopping because ${reason}, aborted ${signal?.aborted}`);
        });
        node.onStop(() => void events.push("onStop"));
      },
    });
    const node = await createTestNode({ plugins: [plugin] });

    await node.node.stop("SIGTERM");

    expect(events).toEqual(["stopping because SIGTERM, aborted true", "onStop"]);
    expect(await node.node.ended).toEqual({ reason: "SIGTERM" });
  });

  it("abandons a tap that does not end", async () => {
    const clock = new FakeClock();
    const logs = recordLogs();
    const plugin = definePlugin({
      name: "plugin",
      setup: (node) => node.hooks.lifecycle.stopping.tap(() => new Promise(() => {})),
    });
    const node = await createTestNode({ plugins: [plugin], clock, logs });

    const stopped = node.stop();
    await clock.advance(30_000);
    await stopped;

    expect(logs.entries.map(({ message }) => message)).toContain(
      "plugin failed in lifecycle.stopping: it did not finish in time, and the node continued without it",
    );
  });

  it("twice stops once", async () => {
    let stops = 0;
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        node.onStop(() => {
          stops += 1;
        });
      },
    });
    const node = await createTestNode({ plugins: [plugin] });

    await Promise.all([node.node.stop("first"), node.node.stop("second")]);
    await node.node.stop("third");

    expect(stops).toBe(1);
    expect(await node.node.ended).toEqual({ reason: "first" });
  });

  it("closes the storage after the last onStop", async () => {
    const events: string[] = [];
    await using spied = await createSpiedNode(events, [
      definePlugin({
        name: "plugin",
        setup: (node) => node.onStop(() => void events.push("onStop")),
      }),
    ]);
    await spied.node.start();

    await spied.node.stop();

    expect(events).toEqual(["open", "onStop", "close"]);
  });

  it("waits for the tasks of plugins to end", async () => {
    const events: string[] = [];
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        node.onStart(({ tasks }) => {
          tasks.run("loop", async (signal) => {
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
            await new Promise((resolve) => setImmediate(resolve));
            events.push("task ended");
          });
        });
      },
    });
    const node = await createTestNode({ plugins: [plugin] });

    await node.stop();

    expect(events).toEqual(["task ended"]);
  });

  it("abandons an onStop that takes longer than 30 seconds, and logs its name", async () => {
    const clock = new FakeClock();
    const logs = recordLogs();
    const events: string[] = [];
    const first = definePlugin({
      name: "first",
      setup: (node) => node.onStop(() => void events.push("first stopped")),
    });
    const slow = definePlugin({
      name: "slow",
      setup: (node) => node.onStop(() => new Promise(() => {})),
    });
    const node = await createTestNode({ plugins: [first, slow], clock, logs });

    const stopped = node.stop();
    await clock.advance(29_999);
    expect(events).toEqual([]);
    await clock.advance(1);
    await stopped;

    expect(events).toEqual(["first stopped"]);
    expect(logs.entries).toMatchObject([
      { level: "warn", message: "Service slow did not shut down cleanly" },
    ]);
  });

  it("abandons a task that does not end, in the same way", async () => {
    const clock = new FakeClock();
    const logs = recordLogs();
    const deaf = definePlugin({
      name: "deaf",
      setup(node) {
        node.onStart(({ tasks }) => tasks.run("deaf", () => new Promise(() => {})));
      },
    });
    const node = await createTestNode({ plugins: [deaf], clock, logs });

    const stopped = node.stop();
    await clock.advance(30_000);
    await stopped;

    expect(logs.entries).toMatchObject([
      { level: "warn", message: "Service deaf did not shut down cleanly" },
    ]);
  });

  it("continues when an onStop fails: the plugin's others, other plugins, the storage", async () => {
    const logs = recordLogs();
    const events: string[] = [];
    const error = new Error("broken");
    await using spied = await createSpiedNode(
      events,
      [
        definePlugin({
          name: "first",
          setup: (node) => node.onStop(() => void events.push("first")),
        }),
        definePlugin({
          name: "broken",
          setup(node) {
            node.onStop(() => {
              throw error;
            });
            node.onStop(() => void events.push("the other of broken"));
          },
        }),
      ],
      { logs },
    );
    await spied.node.start();

    await spied.node.stop();

    expect(events).toEqual(["open", "the other of broken", "first", "close"]);
    expect(logs.entries).toMatchObject([
      { level: "error", message: "broken failed in onStop: broken", fields: { error } },
    ]);
  });

  it("ends with the error if the storage cannot be closed", async () => {
    const logs = recordLogs();
    const error = new Error("disk full");
    await using spied = await createSpiedNode([], [], {
      logs,
      close: () => Promise.reject(error),
    });
    await spied.node.start();

    await spied.node.stop("SIGTERM");

    expect(await spied.node.ended).toEqual({ reason: "SIGTERM", error });
    expect(logs.entries).toMatchObject([{ level: "error", fields: { error } }]);
  });

  it("makes further use of the node an error", async () => {
    const node = await createTestNode();

    await node.stop();

    await expect(node.node.start()).rejects.toMatchObject({ code: "PHASE_WRONG" });
    await expect(node.disable("plugin")).rejects.toMatchObject({ code: "PHASE_WRONG" });
  });
});

describe("stopping a node that is not running yet", () => {
  it("ends it without running any plugin code", async () => {
    const events: string[] = [];
    const node = await createNode({ plugins: [recorder(events), ...devChain], genesis, options });

    await node.stop("not needed");

    expect(events).toEqual([]);
    expect(await node.ended).toEqual({ reason: "not needed" });
    await expect(node.start()).rejects.toMatchObject({ code: "PHASE_WRONG" });
  });

  it("keeps a start called right after from opening anything", async () => {
    const events: string[] = [];
    await using spied = await createSpiedNode(events, [recorder(events)]);

    const stopped = spied.node.stop();
    await expect(spied.node.start()).rejects.toMatchObject({ code: "PHASE_WRONG" });
    await stopped;

    expect(events).toEqual([]);
  });

  it("waits while it is opened, closes it again and starts nothing", async () => {
    const events: string[] = [];
    await using spied = await createSpiedNode(events, [recorder(events)]);

    const started = expect(spied.node.start()).rejects.toMatchObject({ code: "PHASE_WRONG" });
    const stopped = spied.node.stop("SIGTERM");
    await Promise.all([started, stopped]);

    expect(events).toEqual(["open", "close"]);
    expect(await spied.node.ended).toEqual({ reason: "SIGTERM" });
  });

  it("closes what was opened and never started", async () => {
    const events: string[] = [];
    await using spied = await createSpiedNode(events, [recorder(events)]);
    await spied.node.open();

    await spied.node.stop();

    expect(events).toEqual(["open", "close"]);
  });

  it("waits for a start in progress, then stops all of it", async () => {
    const events: string[] = [];
    const gate = aGate();
    await using spied = await createSpiedNode(events, [
      definePlugin({
        name: "slow",
        setup(node) {
          node.onStart(async () => {
            events.push("starting");
            await gate.opened;
            events.push("started");
          });
          node.onStop(() => void events.push("stopped"));
        },
      }),
    ]);
    await spied.node.open();

    const started = spied.node.start();
    const stopped = spied.node.stop("SIGTERM");
    gate.open();
    await Promise.all([started, stopped]);

    expect(events).toEqual(["open", "starting", "started", "stopped", "close"]);
    expect(await spied.node.ended).toEqual({ reason: "SIGTERM" });
  });

  it("ends when the start in progress fails", async () => {
    const events: string[] = [];
    const gate = aGate();
    await using spied = await createSpiedNode(events, [
      recorder(events),
      definePlugin({
        name: "broken",
        setup(node) {
          node.onStart(async () => {
            await gate.opened;
            throw new Error("broken");
          });
        },
      }),
    ]);
    await spied.node.open();

    const started = expect(spied.node.start()).rejects.toMatchObject({ code: "PLUGIN_FAILED" });
    const stopped = spied.node.stop("SIGTERM");
    gate.open();
    await Promise.all([started, stopped]);

    expect(events).toEqual(["open", "onStart", "onStop", "close"]);
    expect(await spied.node.ended).toMatchObject({ reason: "SIGTERM" });
  });
});

describe("a start that fails", () => {
  it("stops the started plugins, in reverse order, and closes the storage", async () => {
    const events: string[] = [];
    const named = (name: string) =>
      definePlugin({
        name,
        setup(node) {
          node.onStart(() => void events.push(`${name} onStart`));
          node.onStop(() => void events.push(`${name} onStop`));
        },
      });
    const broken = definePlugin({
      name: "broken",
      setup(node) {
        node.onStart(() => {
          throw new Error("broken");
        });
        node.onStop(() => void events.push("broken onStop"));
      },
    });
    await using spied = await createSpiedNode(events, [
      named("a"),
      named("b"),
      broken,
      named("never"),
    ]);

    await expect(spied.node.start()).rejects.toMatchObject({ code: "PLUGIN_FAILED" });

    expect(events).toEqual([
      "open",
      "a onStart",
      "b onStart",
      "broken onStop",
      "b onStop",
      "a onStop",
      "close",
    ]);
  });

  it("ends the node with its error, and stopping it again does nothing", async () => {
    const error = new Error("broken");
    const broken = definePlugin({
      name: "broken",
      setup: (node) => node.onStart(() => Promise.reject(error)),
    });
    const node = await createNode({ plugins: [broken, ...devChain], genesis, options });
    await expect(node.start()).rejects.toThrow();

    await node.stop();

    expect(await node.ended).toMatchObject({
      reason: "failed to start",
      error: { code: "PLUGIN_FAILED", cause: error },
    });
  });

  it("aborts the signals of the started plugins", async () => {
    let signal: AbortSignal | undefined;
    const first = definePlugin({
      name: "first",
      setup(node) {
        node.onStart((runtime) => {
          signal = runtime.signal;
        });
      },
    });
    const broken = definePlugin({
      name: "broken",
      setup: (node) => node.onStart(() => Promise.reject(new Error("broken"))),
    });
    const node = await createNode({ plugins: [first, broken, ...devChain], genesis, options });

    await expect(node.start()).rejects.toThrow();

    expect(signal?.aborted).toBe(true);
  });
});

function recorder(events: string[]) {
  return definePlugin({
    name: "recorder",
    setup(node) {
      node.onStart(() => void events.push("onStart"));
      node.onStop(() => void events.push("onStop"));
    },
  });
}

/** A node whose storage records when it is opened and closed. */
async function createSpiedNode(
  events: string[],
  plugins: readonly ReturnType<typeof definePlugin>[],
  { logs = recordLogs(), close = async () => {} } = {},
) {
  const folder = await createTempFolder();
  const storage = definePlugin({
    name: "storage",
    setup(node) {
      node.storage.driver({
        name: "spy",
        async open(place) {
          events.push("open");
          const store = await createMemoryStorageDriver().open(place);
          return {
            table: (name) => store.table(name),
            batch: () => store.batch(),
            snapshot: () => store.snapshot(),
            close() {
              events.push("close");
              return close();
            },
          };
        },
      });
    },
  });
  const node = await createNode({
    plugins: [storage, ...plugins, ...devChain],
    genesis,
    options: { keyValueStorage: "spy", dataPath: folder.path },
    logs,
  });
  return { node, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

function aGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
