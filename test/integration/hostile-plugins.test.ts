import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, type Header, messageOf, method, RpcError, t } from "@plinth/core";
import type { HookKind, PluginError } from "@plinth/core/kernel";
import type { Node } from "@plinth/node";
import rlp from "@plinth/plugin-cmd-rlp";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcPlinth from "@plinth/plugin-rpc-plinth";
import {
  createTestNode,
  FakeClock,
  MemoryNetwork,
  recordLogs,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createSender } from "../support/dev-load.js";
import {
  BEHAVIORS,
  type Behavior,
  createHostile,
  HOSTILE,
  isFault,
  RARE_BEHAVIORS,
  USUAL_BEHAVIORS,
} from "../support/hostile-plugin.js";
import { createDice } from "../support/mutate.js";
import { until } from "../support/poller.js";
import { type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- fuzz-plugins` tries many more mixtures. */
const IS_LONG = process.env.PLINTH_PLUGIN_MIXTURES !== undefined;
const MIXTURES = Number(process.env.PLINTH_PLUGIN_MIXTURES ?? 4);

/** Every hook of a node with its kind. */
async function listHooks(): Promise<readonly { readonly name: string; readonly kind: HookKind }[]> {
  await using node = await createTestNode();
  return Object.values(node.node.hooks).flatMap((group) =>
    Object.values(group).map(({ name, kind }) => ({ name, kind })),
  );
}

describe("a method of a plugin", () => {
  const sprung = () => {
    throw new Error("sprung");
  };
  const trap = () => new Proxy({}, { get: sprung, getPrototypeOf: sprung });
  const circle: { self?: object } = {};
  circle.self = circle;

  it.each<[string, () => unknown]>([
    [
      "throws an unreadable value",
      () => {
        throw trap();
      },
    ],
    [
      "throws an error that cannot be read",
      () => {
        throw Object.defineProperty(new Error(), "message", { get: sprung });
      },
    ],
    ["returns an unreadable value", trap],
    ["returns a value that throws when it is encoded", () => ({ toJSON: sprung })],
    ["returns a circle", () => circle],
    ["returns a bigint", () => 1n],
  ])("that %s is an internal error, and the node survives", async (_, handle) => {
    const bad = method({
      summary: "Misbehaves.",
      params: {},
      result: t.json,
      example: { params: [], result: null },
      handle: async () => handle() as never,
    });
    const plugin = definePlugin({
      name: HOSTILE,
      setup: (node) => node.rpc.namespace("hostile", { bad }),
    });
    await using node = await createTestNode({ plugins: [plugin, rpcEth] });

    await expect(node.rpc("hostile_bad")).rejects.toMatchObject({ code: -32603 });

    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
  });
});

describe("a plugin that misbehaves", () => {
  it("is reported by name, and the node survives, in every hook", async () => {
    const hooks = await listHooks();
    const reached = new Set<string>();
    for (const [index, { name, kind }] of hooks.entries()) {
      // Two of eight ways in each hook, in turn; `npm run long -- fuzz-plugins` tries all of them.
      const usual = USUAL_BEHAVIORS.filter((_, way) => IS_LONG || way === index % 4);
      const rare = RARE_BEHAVIORS.filter((_, way) => IS_LONG || way === (index >> 2) % 4);
      for (const behavior of [...usual, ...rare]) {
        const { hit, reported } = await exercise(new Map([[name, behavior]]));
        for (const hook of hit) reached.add(hook);
        // A machine that stalls blocks the event loop too, whatever the tap does.
        const faults = reported.filter((line) => !line.includes("the event loop was blocked"));
        const isNamed = faults.some((line) => line.includes(HOSTILE));
        // A notified tap is reported if the node lives for a second longer.
        const isOpen = kind === "notify" && behavior.startsWith("hang");
        if (hit.has(name) && !isOpen)
          expect({ name, behavior, isNamed }).toEqual({
            name,
            behavior,
            isNamed: isFault(kind, behavior),
          });
      }
    }
    // Nodes in memory need no discovery; the driver that has one is tested separately.
    expect(hooks.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([
      "network.discover",
    ]);
  }, 300_000);

  it(
    `does not end the node in ${MIXTURES} random mixtures`,
    async () => {
      const hooks = await listHooks();
      for (let seed = 1; seed <= MIXTURES; seed++) {
        const pick = createDice(seed);
        const chosen = hooks.filter(({ name }) => !name.startsWith("lifecycle.") && pick(10) < 3);
        const behaviors = chosen.map(
          ({ name }) => [name, BEHAVIORS[pick(BEHAVIORS.length)] ?? "throw"] as const,
        );
        await exercise(new Map(behaviors), pick);
      }
    },
    60_000 + MIXTURES * 10_000,
  );
});

/**
 * Runs a node with a hostile plugin through its whole lifecycle; returns what was reported about
 * it.
 */
async function exercise(
  behaviors: ReadonlyMap<string, Behavior>,
  pick?: (count: number) => number,
): Promise<{ readonly hit: ReadonlySet<string>; readonly reported: readonly string[] }> {
  const clock = new FakeClock(1_700_000_000_000);
  const logs = recordLogs();
  const { plugin, hit } = createHostile(behaviors, pick);
  const pump = startPump(clock);
  const reported: string[] = [];
  const network = new MemoryNetwork({ clock });
  const options = { networkDriver: "memory" };
  // Only taps of the network and of synchronization need a peer.
  const isNetworked = [...behaviors.keys()].some((hook) => /^(network|sync)\./.test(hook));
  const neighbor = isNetworked
    ? await createTestNode({ plugins: [greeting, network.plugin("neighbor")], options, clock })
    : undefined;
  try {
    const plugins = [plugin, rpcEth, rpcPlinth, rlp, greeting, network.plugin("victim")];
    const node = await createTestNode({ plugins, options, clock, logs });
    reported.push(...(await work(node, clock)));
    await node.stop();
  } catch (error) {
    // A node may fail to start, if it reports why.
    expect(messageOf(error)).toContain(HOSTILE);
    expect((error as PluginError).details.hints ?? (error as PluginError).plugin).toBeDefined();
    reported.push(messageOf(error));
  } finally {
    await neighbor?.stop();
    pump.stop();
  }
  return { hit, reported: [...reported, ...logs.entries.map(({ message }) => message)] };
}

/** Sends something to every peer, reports a synchronization, and rejects a call. */
const greeting = definePlugin({
  name: "greeting",
  setup({ network, onStart, rpc }) {
    rpc.namespace("greet", {
      refused: method({
        summary: "Rejects every caller.",
        result: t.boolean,
        handle() {
          throw RpcError.unauthorized();
        },
      }),
    });
    network.protocol({
      name: "greet",
      version: 1,
      length: 1,
      connected(peer) {
        peer.send(0, new Uint8Array());
        return { received: () => {} };
      },
    });
    onStart(({ sync }) => sync.report({ starting: 0n, current: 0n, highest: 1n, syncing: true }));
  },
});

/** The actions of callers; whatever their outcome, the node responds afterwards. */
async function work({ node, rpc, mine }: TestNode, clock: FakeClock): Promise<readonly string[]> {
  const reported: string[] = [];
  const attempt = async (action: Promise<unknown>) => {
    const late = clock.sleep(30_000).then(() => "late");
    await Promise.race([action, late]).catch((error) => reported.push(messageOf(error)));
  };
  const { blocks, pool } = node;
  await attempt((async () => node.commands())());
  await attempt(node.beforeCommand.call({ id: "rlp encode", flags: {} }));
  await attempt(rpc("eth_sendRawTransaction", [await signTransaction(transfer())]));
  await attempt(mine([transfer()]));
  await attempt(rpc("eth_sendRawTransaction", ["0x00"]));
  await attempt(rpc("eth_sendRawTransaction", [await signTransaction(transfer({ chainId: 5n }))]));
  await attempt(rpc("eth_call", [{ to: `0x${"00".repeat(20)}` }, "latest"]));
  await attempt(importOwn(node, {}));
  await attempt(importOwn(node, { stateRoot: `0x${"ab".repeat(32)}` }));
  const waiting = await signTransaction(transfer({ nonce: 99 }));
  await attempt(rpc("eth_sendRawTransaction", [waiting]));
  for (const { hash } of pool.all()) await attempt(Promise.resolve(pool.remove(hash)));
  await attempt(rpc("eth_blockNumber"));
  await attempt(rpc("greet_refused"));
  // Peers find each other meanwhile, if there are any and nothing prevents it.
  if (node.hooks.network.connect.isUsed() || node.network?.isEnabled)
    await attempt(clock.sleep(10_000));
  const { checks } = await node.health();
  await attempt(node.disable("rpc-plinth"));
  expect(blocks.head().number).toBeGreaterThanOrEqual(0n);
  return [...reported, ...checks.map(({ plugin, detail }) => `${plugin}: ${detail}`)];
}

/** Imports a block on the head as if it were received. */
async function importOwn({ blocks }: Node, changes: Partial<Header>): Promise<void> {
  const timestamp = blocks.head().timestamp + 1n;
  const { block } = await blocks.build({ timestamp, candidates: [] });
  await blocks.import({ ...block, header: { ...block.header, ...changes } }, { origin: "peer" });
}

/** Advances the clock until it is stopped. */
function startPump(clock: FakeClock): { stop(): void } {
  let isOver = false;
  void (async () => {
    while (!isOver) {
      await clock.advance(200);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  return {
    stop: () => {
      isOver = true;
    },
  };
}

describe("a process with a plugin", () => {
  it.each([
    ["throws in chain.commit", "hooks.chain.commit.tap(() => { throw new Error('boom'); });"],
    ["never returns in chain.commit", "hooks.chain.commit.tap(() => new Promise(() => {}));"],
  ])("that %s is reported, responds, and starts without it", async (_, setup) => {
    using folder = temporaryFolder();
    install(folder.path, setup);
    {
      await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });
      void createSender(node, 0)
        .send()
        .catch(() => {});
      await until(async () => isBlamed(node) || undefined);
      expect(await node.rpc("eth_blockNumber")).toBe("0x0");
      expect(await node.rpc("plinth_status")).toMatchObject({ health: { status: "degraded" } });
      // A stop would wait for the tap.
      await node.stop("SIGKILL");
    }
    writeFileSync(join(folder.path, "without.toml"), `${CONFIG}without = ["bad"]\n`);
    await using again = await startNode(["--config-file=without.toml"], { folder: folder.path });
    await until(async () => (await again.rpc("eth_blockNumber")) === "0x1" || undefined);
  });

  it.each([
    [
      "a timer that throws",
      "onStart(() => { setTimeout(() => { throw new Error('boom'); }, 1); });",
    ],
    ["a floating rejection", "onStart(() => { void Promise.reject(new Error('boom')); });"],
    [
      "a rejection in a tap that does not await it",
      "hooks.chain.headChanged.tap(() => { (async () => { await null; throw new Error('boom'); })(); });",
    ],
  ])("that has %s survives and names it", async (_, setup) => {
    using folder = temporaryFolder();
    install(folder.path, setup);
    await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });

    await createSender(node, 0).send();

    await until(async () => isBlamed(node) || undefined);
    expect(node.output()).toContain('without = ["bad"]');
    expect(await node.rpc("eth_blockNumber")).toBe("0x1");
    expect(await node.rpc("plinth_status")).toMatchObject({ health: { status: "degraded" } });
    expect(await node.stop()).toMatchObject({ code: 0 });
  });

  it("that blocks the event loop is reported with its name", async () => {
    using folder = temporaryFolder();
    const busy = "const end = Date.now() + 900; while (Date.now() < end);";
    install(folder.path, `hooks.pool.added.tap(() => { ${busy} });`);
    await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });

    await createSender(node, 0).send();

    await until(async () => node.output().includes("by bad in pool.added") || undefined);
  });
});

const CONFIG = 'profile = "dev"\nrpc-http-api = ["ETH", "PLINTH"]\nplugins = ["./bad.mjs"]\n';

function install(folder: string, setup: string): void {
  const source = [
    'import { definePlugin } from "@plinth/core";',
    'export default definePlugin({ name: "bad", setup({ hooks, onStart }) {',
    `  ${setup}`,
    "} });",
  ];
  writeFileSync(join(folder, "bad.mjs"), source.join("\n"));
  writeFileSync(join(folder, "plinth.toml"), CONFIG);
}

function isBlamed(node: RunningNode): boolean {
  return /bad (failed in|has been running in)|uncaught error of bad/.test(node.output());
}
