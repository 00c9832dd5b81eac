import { definePlugin, type Hash } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import changes from "@plinth/plugin-changes";
import follow from "@plinth/plugin-follow";
import { options, registerReplica, type SourceLimits } from "@plinth/plugin-follow/api";
import rpcTxpool from "@plinth/plugin-rpc-txpool";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode, recordLogs, type TestNodeSettings } from "@plinth/testing";

type Settings = Omit<TestNodeSettings, "options">;

/** A node with a stream of changes, whose blocks are produced by the test. */
export async function startSource(
  options: Readonly<Record<string, unknown>> = {},
  { plugins = [], ...settings }: Settings = {},
) {
  return withAddress(
    await createTestNode({
      plugins: [transportHttp, rpcTxpool, changes, ...plugins],
      options: {
        ...{ rpcHttpEnabled: true, rpcHttpPort: 0, rpcHttpApi: ["ETH", "TXPOOL"] },
        ...{ changesEnabled: true, dataStorageFormat: "BONSAI", devPeriodSeconds: 3600 },
        ...options,
      },
      ...settings,
    }),
  );
}

/** A node that follows others; `reached` resolves when a block is its head. */
export async function startReplica(
  addresses: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
  { limits, plugins = [], ...settings }: Settings & { readonly limits?: SourceLimits } = {},
) {
  const moved = new Signal();
  const logged = new Signal();
  const logs = recordLogs(() => logged.notify());
  const watching = definePlugin({
    name: "watching",
    setup: ({ hooks }) => hooks.chain.headChanged.tap(() => moved.notify()),
  });
  const following = limits === undefined ? follow : withLimits(limits);
  const node = await startSource(
    { changesEnabled: false, devPeriodSeconds: undefined, follow: addresses, ...options },
    { logs, ...settings, plugins: [following, watching, ...plugins] },
  );
  const lines = () =>
    logs.entries.filter(({ logger }) => logger === "follow").map(({ message }) => message);
  return Object.assign(node, {
    lines,
    async reached({ hash }: { readonly hash: Hash }) {
      while (node.head().hash !== hash) await moved.next();
    },
    /** Resolves to the first line of the follower's log that contains a text. */
    async logged(text: string): Promise<string> {
      for (;;) {
        const found = lines().find((line) => line.includes(text));
        if (found !== undefined) return found;
        await logged.next();
      }
    },
  });
}

/** A node may have another port after a restart. */
function withAddress<T extends Awaited<ReturnType<typeof createTestNode>>>(node: T) {
  const port = () =>
    node.node.rpc.endpoints().find(({ name }) => name === "json-rpc")?.address?.port ?? 0;
  return Object.assign(node, {
    port,
    address: () => `http://127.0.0.1:${port()}`,
    head: () => node.node.blocks.head(),
  });
}

/** The plugin with other limits of what its sources send. */
function withLimits(limits: SourceLimits) {
  return definePlugin({
    name: "follow",
    options,
    setup: (node) => registerReplica(node, node.config, limits),
  });
}
