import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { Health } from "../kernel/health.js";
import { defineService } from "../kernel/services.js";
import { createNode } from "./create-node.js";
import { definePlugin } from "./define-plugin.js";

describe("the health of a node", () => {
  it("is up when nobody complains", async () => {
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

  it("is found with the runtime and the dependencies of each plugin", async () => {
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

  it("can be asked for by plugins", async () => {
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

  it("knows of nothing before the node is open", async () => {
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
