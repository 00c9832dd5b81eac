import { type Call, method, type Pool, t } from "@plinth/core";
import { diskSummary, summarizeDisk } from "@plinth/plugin-disk-usage/api";
import type { dependencies } from "../dependencies.js";

const check = t.object({
  plugin: t.text,
  name: t.text,
  status: t.text,
  detail: t.optional(t.text),
});

const HASH = `0x${"ab".repeat(32)}`;

/** `plinth_status`: the status that operators check first. */
export const status = method({
  summary:
    "Returns the status of the node: its chain, head, pool, peers, plugins and their health.",
  params: {},
  exactParams: true,
  result: t.object({
    clientVersion: t.text,
    chainId: t.optional(t.quantity),
    networkId: t.quantity,
    genesisHash: t.hash,
    head: t.object({ number: t.quantity, hash: t.hash, timestamp: t.quantity }),
    // Seconds by the clock of the node.
    headAge: t.integer(),
    pending: t.integer(),
    // Transactions that the node failed to execute and does not retry by itself.
    setAside: t.array(t.object({ hash: t.hash, message: t.text })),
    peers: t.optional(t.integer()),
    sync: t.optional(t.object({ syncing: t.boolean, highest: t.quantity })),
    // Of the last measurement; omitted if the data is in memory.
    disk: t.optional(diskSummary),
    plugins: t.array(t.text),
    health: t.object({ status: t.text, checks: t.array(check) }),
  }),
  example: {
    params: [],
    result: {
      clientVersion: "plinth/v0.1.0/linux-x86_64/node-20",
      chainId: "0x539",
      networkId: "0x539",
      genesisHash: HASH,
      head: { number: "0x0", hash: HASH, timestamp: "0x0" },
      headAge: 0,
      pending: 0,
      setAside: [],
      plugins: ["rpc-plinth"],
      health: { status: "up", checks: [] },
    },
  },
  async handle(_params, call: Call<typeof dependencies>) {
    const { chain, pool, network, sync, disk, plugins, health, clientVersion, clock } = call;
    const { blocks, chainId } = chain;
    const { number, hash, timestamp } = blocks.head();
    const { status, checks } = await health.report();
    const measured = disk?.latest();
    return {
      clientVersion,
      chainId,
      networkId: network.id,
      genesisHash: blocks.findHeader(0n)?.hash ?? hash,
      head: { number, hash, timestamp },
      headAge: Math.max(0, Math.floor(clock.now() / 1000) - Number(timestamp)),
      pending: pool.all().length,
      setAside: setAsideIn(pool),
      peers: network.isEnabled ? network.peers().length : undefined,
      sync: sync.progress && { syncing: sync.isSyncing, highest: sync.progress.highest },
      disk: measured && summarizeDisk(measured),
      plugins: plugins.names(),
      health: { status, checks: checks.map((each) => ({ detail: undefined, ...each })) },
    };
  },
});

function setAsideIn(pool: Pool) {
  return pool.entries().flatMap(({ transaction: { hash }, setAside }) => {
    return setAside === undefined ? [] : [{ hash, message: setAside }];
  });
}
