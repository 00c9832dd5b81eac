import { type Codec, t } from "@plinth/core";
import { diskSummary } from "@plinth/plugin-disk-usage/api";
import { type Asked, ask, isOk } from "./ask.js";
import { socketOf } from "./find-access.js";
import type { NodeOutside, NodeStatus } from "./node-status.js";
import { askRecentBlocks, findPeriod } from "./recent-blocks.js";
import { Refusal } from "./refusal.js";

const header = t.object({ number: t.quantity, hash: t.hash, timestamp: t.quantity });

/** Maximum length of a displayed text. */
const MAX_SHOWN = 1000;
const words: Codec<string> = {
  ...t.text,
  decode: (json, path) => t.text.decode(json, path).slice(0, MAX_SHOWN),
};

const full = t.object({
  clientVersion: words,
  chainId: t.optional(t.quantity),
  networkId: t.quantity,
  genesisHash: t.hash,
  head: header,
  headAge: t.integer(),
  pending: t.integer(),
  setAside: t.array(t.object({ hash: t.hash, message: words })),
  peers: t.optional(t.integer()),
  sync: t.optional(t.object({ syncing: t.boolean, highest: t.quantity })),
  // Omitted by nodes of earlier versions.
  disk: t.optional(diskSummary),
  plugins: t.array(words),
  health: t.object({
    status: words,
    checks: t.array(
      t.object({ plugin: words, name: words, status: words, detail: t.optional(words) }),
    ),
  }),
});

/** Requests the status of a node; rejects with `NodeUnreachable` if it does not respond. */
export async function askNode(asked: Asked): Promise<NodeStatus> {
  try {
    const status = await ask(asked, "plinth_status", full);
    const { clientVersion, chainId, head, headAge, health, ...inside } = status;
    return { clientVersion, chainId, head, headAge, health, inside };
  } catch (error) {
    if (!(error instanceof Refusal && error.isMissingMethod)) throw error;
    return askAnyNode(asked);
  }
}

/** The status of any node, from methods that are offered by default. */
async function askAnyNode(asked: Asked): Promise<NodeStatus> {
  const head = await ask(asked, "eth_getBlockByNumber", header, ["latest", false]);
  const isReady = await askReadiness(asked);
  const age = Math.floor(Date.now() / 1000) - Number(head.timestamp);
  return {
    clientVersion: await askOffered(asked, "web3_clientVersion", words),
    chainId: await ask(asked, "eth_chainId", t.quantity),
    head,
    headAge: Math.max(0, age),
    health: { status: isReady ? "ready" : "not ready", checks: [] },
    inside: undefined,
    outside: await askOutside(asked, head.number),
  };
}

/** What a node reports without namespace `plinth`. */
async function askOutside(asked: Asked, head: bigint): Promise<NodeOutside> {
  const peers = await askOffered(asked, "net_peerCount", t.quantity);
  const syncing = await askOffered(asked, "eth_syncing", t.json);
  const highest = findHighest(syncing) ?? head;
  return {
    peers: peers === undefined ? undefined : Number(peers),
    sync: syncing === undefined ? undefined : { syncing: syncing !== false, highest },
    period: findPeriod(await askRecentBlocks(asked, head)),
  };
}

/** The result of a method; `undefined` if the node refuses it. */
async function askOffered<T>(
  asked: Asked,
  method: string,
  codec: Codec<T>,
): Promise<T | undefined> {
  try {
    return await ask(asked, method, codec);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function askReadiness(asked: Asked): Promise<boolean> {
  if (socketOf(asked.url) === undefined) {
    return isOk(asked, "/readiness");
  }
  return (await ask(asked, "eth_syncing", t.json)) === false;
}

/** The sync target of a node. */
function findHighest(syncing: unknown): bigint | undefined {
  const { highestBlock } = Object(syncing);
  return typeof highestBlock === "string" && /^0x[0-9a-f]{1,16}$/.test(highestBlock)
    ? BigInt(highestBlock)
    : undefined;
}
