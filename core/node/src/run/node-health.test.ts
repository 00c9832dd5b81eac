import type { Health, Runtime } from "@plinth/core";
import { definePlugin, defineService } from "@plinth/core";
import { createTestNode, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

describe("the health of a node", () => {
  it("is up when no check fails", async () => {
    await using node = await createTestNode();

    expect(await node.node.health()).toEqual({ status: "up", checks: [] });
  });

  it("is the worst of its parts, each with its plugin and its name", async () => {
    await using node = await createTestNode({
      plugins: [
        checking("a", { status: "up" }),
        checking("b", { status: "degraded", detail: "2 of 4 peers" }),
      ],
    });

    expect(await node.node.health()).toEqual({
      status: "degraded",
      checks: [
        { plugin: "a", name: "check of a", status: "up" },
        { plugin: "b", name: "check of b", status: "degraded", detail: "2 of 4 peers" },
      ],
    });
  });

  it("is down when a check fails", async () => {
    const broken = definePlugin({
      name: "broken",
      setup: (node) => node.health.check("disk", () => Promise.reject(new Error("no answer"))),
    });
    await using node = await createTestNode({ plugins: [broken, checking("a", { status: "up" })] });

    expect(await node.node.health()).toMatchObject({
      status: "down",
      checks: [{ plugin: "broken", status: "down", detail: "no answer" }, { plugin: "a" }],
    });
  });

  it("does not wait forever for a check", async () => {
    const clock = new FakeClock(1_000_000_000_000);
    const endless = definePlugin({
      name: "endless",
      setup: (node) => node.health.check("disk", () => new Promise(() => {})),
    });
    const plugins = [endless, checking("a", { status: "up" })];
    await using node = await createTestNode({ plugins, clock });
    let report: unknown;

    void node.node.health().then((found) => {
      report = found;
    });
    await clock.advance(3000);

    expect(report).toMatchObject({
      status: "down",
      checks: [{ plugin: "endless", detail: "no result within 3 s" }, { plugin: "a" }],
    });
  });

  it("is determined with the runtime and the dependencies of each plugin", async () => {
    const Peers = defineService<number>("peers.count");
    const peers = definePlugin({
      name: "peers",
      provides: [Peers],
      setup: (node) => node.services.provide(Peers, () => 3),
    });
    const watcher = definePlugin({
      name: "watcher",
      dependencies: { count: Peers },
      setup: (node) =>
        node.health.check("peers", ({ count, chain }) => ({
          status: "up",
          detail: `${count} peers on ${chain.chainId}`,
        })),
    });
    await using node = await createTestNode({ plugins: [watcher, peers] });

    expect(await node.node.health()).toMatchObject({ checks: [{ detail: "3 peers on 1337" }] });
  });

  it("can be queried by plugins", async () => {
    let report: unknown;
    const asking = definePlugin({
      name: "asking",
      setup(node) {
        node.onStart(async ({ health }) => {
          report = await health.report();
        });
      },
    });
    await using _ = await createTestNode({ plugins: [asking, checking("a", { status: "up" })] });

    expect(report).toMatchObject({ status: "up", checks: [{ plugin: "a" }] });
  });

  it("is degraded if no block arrives for ten periods, counted from the start of the node", async () => {
    const clock = new FakeClock(1_000_000_000_000);
    let stopBlocks = async () => {};
    const stopping = definePlugin({
      name: "stopping",
      setup: (node) =>
        node.onStart(({ production }) => {
          stopBlocks = async () => void (await production?.stop());
        }),
    });
    const options = { devPeriodSeconds: 5 };
    await using node = await createTestNode({ plugins: [stopping], options, clock });
    await clock.advance(5000);
    await stopBlocks();

    await clock.advance(50_000);
    const inTime = await node.node.health();
    await clock.advance(1000);
    const late = await node.node.health();

    expect(inTime).toEqual({
      status: "up",
      checks: [{ plugin: "core", name: "head", status: "up" }],
    });
    expect(late).toEqual({
      status: "degraded",
      checks: [
        {
          plugin: "core",
          name: "head",
          status: "degraded",
          detail: "no block for 51 s since block 1; one is expected every 5 s",
        },
      ],
    });
  });

  it("is logged if no block arrives: a warning with every reason, errors later, and the recovery", async () => {
    const clock = new FakeClock(1_000_000_000_000);
    const logs = recordLogs();
    let production: Runtime["production"];
    const stopping = definePlugin({
      name: "stopping",
      setup(node) {
        node.onStart((runtime) => {
          production = runtime.production;
        });
        node.health.check("votes", () => ({ status: "degraded", detail: "2 of 4 are away" }));
      },
    });
    const options = { devPeriodSeconds: 5 };
    await using _ = await createTestNode({ plugins: [stopping], options, clock, logs });
    const lines = () =>
      logs.entries
        .filter(({ message }) => /no block for|arrive again/.test(message))
        .map(({ level, message }) => [level, message]);
    await clock.advance(5000);
    await production?.stop();

    await clock.advance(60_000);
    const warned = lines();
    await clock.advance(300_000);
    const failed = lines();
    await clock.advance(1_000_000);
    const later = lines();
    production?.start();
    await clock.advance(20_000);

    const reason = "stopping: 2 of 4 are away";
    expect(warned).toEqual([
      ["warn", `no block for 55 s since block 1; one is expected every 5 s. ${reason}`],
    ]);
    expect(failed).toEqual([
      ...warned,
      ["error", `no block for 355 s since block 1; one is expected every 5 s. ${reason}`],
    ]);
    expect(later).toEqual(failed);
    expect(lines()).toEqual([...failed, ["info", "blocks arrive again"]]);
  });

  it("is unknown before the node is open", async () => {
    const node = await createNode({ plugins: [checking("a", { status: "down" })] });

    expect(await node.health()).toEqual({ status: "up", checks: [] });
  });
});

function checking(name: string, health: Health) {
  return definePlugin({
    name,
    setup: (node) => node.health.check(`check of ${name}`, () => health),
  });
}
