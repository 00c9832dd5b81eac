import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "@plinth/core";
import transportHttp from "@plinth/plugin-transport-http";
import {
  ACCOUNTS,
  BOB,
  CAROL,
  createInside,
  createTestNode,
  sendHttp,
  transfer,
} from "@plinth/testing";
import { transformSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// Inside the repository, so that the plugins find the core.
const build = join(ROOT, "test/dist");
mkdirSync(build, { recursive: true });
const folder = temporaryFolder(build);
afterAll(() => folder[Symbol.dispose]());

/** The exports of a block of a guide, which starts with a comment that contains its file name. */
async function load(guide: string, name: string): Promise<Record<string, Plugin>> {
  const text = readFileSync(join(ROOT, "docs/plugins", guide), "utf8");
  const code = new RegExp(`^\`\`\`js\\n// ${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1];
  if (code === undefined) throw new Error(`${guide} has no block ${name}`);
  // `await using` is newer than the oldest Node.js that runs this.
  writeFileSync(folder.file(name), transformSync(code, { target: "node20" }).code);
  return import(/* @vite-ignore */ folder.file(name));
}

async function pluginOf(guide: string, name: string): Promise<Plugin> {
  const { default: plugin } = await load(guide, name);
  if (plugin === undefined) throw new Error(`${name} has no default export`);
  return plugin;
}

it("the driver of the guide opens the database of a node", async () => {
  const plugin = await pluginOf("drivers.md", "counting-store.mjs");
  const inside = createInside();
  const options = { keyValueStorage: "counting" };
  await using node = await createTestNode({ plugins: [plugin, inside.plugin], options });
  const countCommits = () =>
    inside
      .runtime()
      .metrics.collect()
      .find(({ name }) => name === "plinth_storage_counting_commits_total")?.samples[0]?.value;
  const before = countCommits();

  await node.mine([transfer()]);

  expect(countCommits()).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
});

describe("the recipes", () => {
  it("of a table follow reorganizations and restarts", async () => {
    const plugin = await pluginOf("recipes.md", "received.mjs");
    await using node = await createTestNode({ plugins: [plugin] });
    await node.mine([transfer(), transfer()], [transfer()]);
    expect(await node.rpc("received_count", [BOB])).toBe("0x3");

    await node.reorganize(1, [transfer({ from: CAROL }), transfer({ to: CAROL.address })], []);
    await node.restart();

    expect(await node.rpc("received_count", [BOB])).toBe("0x3");
    expect(await node.rpc("received_count", [CAROL.address])).toBe("0x1");
    await node.reorganize(3);
    expect(await node.rpc("received_count", [BOB])).toBe("0x0");
  });

  it("of a pool rule reject listed senders, and no other", async () => {
    const plugin = await pluginOf("recipes.md", "denylist.mjs");
    const options = { denylistAddresses: [CAROL.address] };
    await using node = await createTestNode({ plugins: [plugin], options });

    await node.mine([transfer()]);
    await expect(node.mine([transfer({ from: CAROL })])).rejects.toThrowError("is on the denylist");
  });

  it("of a route respond, and report errors", async () => {
    const plugin = await pluginOf("recipes.md", "head-route.mjs");
    const options = { rpcHttpEnabled: true, rpcHttpPort: 0 };
    await using node = await createTestNode({ plugins: [transportHttp, plugin], options });
    const [header] = await node.mine([transfer()]);
    const port =
      node.node.rpc.endpoints().find(({ name }) => name === "json-rpc")?.address?.port ?? 0;
    const get = (path: string) => sendHttp({ port, method: "GET", path });

    expect(JSON.parse((await get("/blocks/1")).text)).toEqual({
      hash: header?.hash,
      transactions: 1,
    });
    expect((await get("/blocks/2")).status).toBe(404);
    expect((await get("/blocks/x")).status).toBe(400);
  });

  it("of older blocks read them once, and new ones as they arrive", async () => {
    const plugin = await pluginOf("recipes.md", "sizes.mjs");
    await using node = await createTestNode({ plugins: [lateIn(plugin)] });
    const [old] = await node.mine([transfer()], []);
    expect(await node.rpc("eth_blockNumber")).toBe("0x2");

    await node.restart();
    const [fresh] = await node.mine([]);

    const sizeOf = (hash = "0x") => node.rpc("sizes_get", [hash]);
    await expect.poll(() => sizeOf(old?.hash)).toMatch(/^0x[1-9a-f]/);
    expect(await sizeOf(fresh?.hash)).toMatch(/^0x[1-9a-f]/);
    expect(await sizeOf(`0x${"00".repeat(32)}`)).toBeNull();
  });
});

/** A plugin that does nothing the first time it is set up, as if it were installed later. */
function lateIn(plugin: Plugin): Plugin {
  let isFirst = true;
  return {
    ...plugin,
    setup(node: never) {
      if (!isFirst) plugin.setup(node);
      isFirst = false;
    },
  };
}

describe("the guide", () => {
  it("to hooks gives alarms", async () => {
    const plugin = await pluginOf("hooks.md", "reorg-alarm.mjs");
    await using node = await createTestNode({ plugins: [plugin] });
    await node.mine([], []);

    await node.reorganize(1);
    expect(await node.rpc("alarm_count")).toBe("0x0");
    await node.reorganize(2);
    expect(await node.rpc("alarm_count")).toBe("0x1");
  });

  it("to services provides one to another", async () => {
    const { provider, consumer } = await load("services.md", "prices.mjs");
    if (provider === undefined || consumer === undefined) throw new Error("no plugins");
    await using node = await createTestNode({ plugins: [consumer, provider] });

    expect(await node.rpc("price_current")).toBe("0x2a");
    await expect(createTestNode({ plugins: [consumer] })).rejects.toThrowError("plinth-prices");
  });

  it("to namespaces sums gas", async () => {
    const plugin = await pluginOf("namespaces.md", "gas.mjs");
    await using node = await createTestNode({ plugins: [plugin] });
    await node.mine(
      ACCOUNTS.map((from) => transfer({ from })),
      [transfer()],
    );

    expect(await node.rpc("gas_used", ["0x2"])).toEqual({
      from: "0x1",
      to: "0x2",
      gasUsed: "0x14820",
    });
    await expect(node.rpc("gas_used", ["0x65"])).rejects.toMatchObject({ code: -32602 });
  });

  it("to commands and to testing counts transactions", async () => {
    const plugin = await pluginOf("commands.md", "count.mjs");
    const { testPlugin } = (await load("testing.md", "testing.mjs")) as unknown as {
      testPlugin(plugin: Plugin): Promise<unknown>;
    };

    expect(await testPlugin(plugin)).toEqual({
      code: 0,
      stdout: "2 transactions\n",
      stderr: "",
      files: {},
    });
  });
});
