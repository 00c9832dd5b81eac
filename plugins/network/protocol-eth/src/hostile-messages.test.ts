import {
  decodeRlp,
  definePlugin,
  encodeRlp,
  hexToBytes,
  loadCrypto,
  PeerError,
  type ProtocolPeer,
  type Rlp,
  RlpError,
  type Runtime,
} from "@plinth/core";
import { headerToRlp, scalarBytes } from "@plinth/core/blocks";
import type { PeerReport } from "@plinth/core/network";
import {
  createInside,
  createRandom,
  createTestNode,
  DEV_GENESIS,
  MAX_SLICE_MS,
  measureSlices,
  recordLogs,
  signTransaction,
  type TransactionFields,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { codecsOf, VERSIONS } from "./codec/index.js";
import type { MessageCodec } from "./codec/message.js";
import { EthPeers } from "./eth-peers.js";
import { EthSession } from "./eth-session.js";
import { BlockGossip } from "./gossip/block-gossip.js";
import { TransactionGossip } from "./gossip/transaction-gossip.js";
import protocolEth from "./index.js";

await loadCrypto();

/** `npm run long -- fuzz-network` sends 100,000. */
const MESSAGES = Number(process.env.PLINTH_ETH_MESSAGES ?? 1_500);
const LIMIT_MS = 60_000 + 20 * MESSAGES;

/** A passive peer that accepts all messages. */
function createPeer(version: number) {
  const sent: { readonly code: number; readonly payload: Uint8Array }[] = [];
  const ending = new AbortController();
  const reports: string[] = [];
  const peer = {
    id: "0x01",
    protocol: { name: "eth", version },
    signal: ending.signal,
    report: ({ outcome }: PeerReport) => void reports.push(outcome),
    disconnect: (reason: string) => ending.abort(reason),
    send(code: number, payload: Uint8Array) {
      sent.push({ code, payload });
      return true;
    },
    bufferedBytes: () => 0,
    drained: async () => {},
  };
  return { peer: peer as unknown as ProtocolPeer, sent, reports, end: () => ending.abort() };
}

/** Why this node ended the connection to a peer. */
async function endOf({ signal }: ProtocolPeer): Promise<unknown> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  return signal.reason;
}

function openSession(runtime: Runtime, version: number) {
  const { peer, sent, reports, end } = createPeer(version);
  const peers = new EthPeers();
  const session = new EthSession(peer, {
    runtime,
    blockGossip: new BlockGossip(runtime, peers),
    transactionGossip: new TransactionGossip(runtime, peers),
    limits: { headers: 512, bodies: 128, receipts: 256, transactions: 256 },
    requiredBlocks: new Map(),
    opened: (each) => peers.add(each),
    ended: (each) => peers.remove(each),
    headChanged: () => peers.changed(),
  });
  session.opened.catch(() => {});
  const status = sent[0]?.payload ?? new Uint8Array();
  const close = () => {
    end();
    session.ended({ reason: "requested", byPeer: true });
  };
  return { session, status, peer, reports, close };
}

/** The same transfer repeatedly. */
async function repeated(count: number, fields: TransactionFields = {}): Promise<readonly Rlp[]> {
  const transaction = decodeRlp(hexToBytes(await signTransaction(transfer(fields))));
  return Array.from({ length: count }, () => transaction);
}

/** A block of the next height with this many identical transactions. */
async function largeBlock({ chain }: Runtime, count: number): Promise<Uint8Array> {
  const { hash, ...head } = chain.blocks.head();
  const header = headerToRlp({ ...head, parentHash: hash, number: head.number + 1n });
  const transactions = await repeated(count);
  return encodeRlp([[header, transactions, []], scalarBytes(head.difficulty * 10n)]);
}

/** A message of every kind, as an honest peer would send it. */
function honestMessages(
  { chain, pool }: Runtime,
  version: number,
): readonly [number, Uint8Array][] {
  const codecs = codecsOf(version);
  const { blocks } = chain;
  const header = blocks.head();
  const block = blocks.findBlock(header.hash);
  if (block === undefined) throw new Error("there is no block");
  const { hash, number } = header;
  const pooled = pool.all();
  const encode = <T>(codec: MessageCodec<T>, message: T): [number, Uint8Array] => [
    codec.code,
    codec.encode(message),
  ];
  const request = { start: hash, limit: 10n, skip: 0n, reverse: true };
  const receipts = [blocks.findReceipts(hash) ?? []];
  return [
    encode(codecs.newBlockHashes, [{ hash, number }]),
    encode(codecs.transactions, block.body.transactions),
    encode(codecs.getBlockHeaders, { id: 1n, body: request }),
    encode(codecs.blockHeaders, { id: 1n, body: [header] }),
    encode(codecs.getBlockBodies, { id: 1n, body: [hash] }),
    encode(codecs.blockBodies, { id: 1n, body: [block.body] }),
    encode(codecs.newBlock, { block, totalDifficulty: 5n }),
    encode(
      codecs.announcement,
      pooled.map((each) => ({ hash: each.hash, type: each.type, size: each.raw.length })),
    ),
    encode(codecs.getPooledTransactions, { id: 1n, body: [hash] }),
    encode(codecs.pooledTransactions, { id: 1n, body: [block.body.transactions[0]?.raw ?? []] }),
    encode(codecs.getReceipts, { id: 1n, body: [hash] }),
    encode(codecs.receipts, { id: 1n, body: receipts }),
    ...(codecs.getNodeData ? [encode(codecs.getNodeData, { id: 1n, body: [hash] })] : []),
    ...(codecs.blockRangeUpdate
      ? [encode(codecs.blockRangeUpdate, { earliest: 0n, latest: number, latestHash: hash })]
      : []),
  ];
}

function mutate(payload: Uint8Array, random: () => number): Uint8Array {
  const bytes = Uint8Array.from(payload);
  const place = () => Math.floor(random() * bytes.length);
  switch (Math.floor(random() * 6)) {
    case 0:
      for (let flips = 0; flips < 1 + random() * 4; flips++) bytes[place()] = random() * 256;
      return bytes;
    case 1:
      return bytes.subarray(0, place());
    case 2:
      return Uint8Array.from([...bytes, ...bytes.subarray(place())]);
    case 3:
      return Uint8Array.from({ length: random() * 64 }, () => random() * 256);
    case 4:
      return encodeRlp(randomRlp(random, 4));
    default:
      return bytes;
  }
}

function randomRlp(random: () => number, depth: number): Rlp {
  if (depth === 0 || random() < 0.5) {
    const sizes = [0, 1, 4, 8, 20, 32, 33, 256];
    const length = sizes[Math.floor(random() * sizes.length)] ?? 0;
    return random() < 0.2
      ? scalarBytes(2n ** 64n - 1n)
      : new Uint8Array(length).fill(random() * 256);
  }
  return Array.from({ length: Math.floor(random() * 6) }, () => randomRlp(random, depth - 1));
}

describe("messages of a hostile peer", () => {
  it(`disconnect it or get a response, ${MESSAGES} of them`, { timeout: LIMIT_MS }, async () => {
    const logs = recordLogs();
    const { plugin, runtime } = createInside();
    await using node = await createTestNode({ plugins: [protocolEth, plugin], logs });
    for (let made = 0; made < 3; made++) await node.mine([transfer(), transfer()]);
    const random = createRandom(7);
    const seen = { handled: 0, refused: 0 };
    for (let sent = 0; sent < MESSAGES; ) {
      const { version } = VERSIONS[Math.floor(random() * VERSIONS.length)] ?? { version: 68 };
      const honest = honestMessages(runtime(), version);
      const { session, status, close } = openSession(runtime(), version);
      await session
        .received(0, random() < 0.9 ? status : mutate(status, random))
        .catch(verifyFault);
      for (let inSession = 0; inSession < 20; inSession++, sent++) {
        const [code, payload] = honest[Math.floor(random() * honest.length)] ?? [0, status];
        const wanted = random() < 0.05 ? Math.floor(random() * 20) : code;
        try {
          await session.received(wanted, mutate(payload, random));
          seen.handled += 1;
        } catch (error) {
          verifyFault(error);
          seen.refused += 1;
          break;
        }
      }
      close();
    }

    expect(logs.entries.filter(({ level }) => level === "error")).toEqual([]);
    expect(seen.handled).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
    await node.mine([transfer()]);
    expect(node.node.blocks.head().number).toBe(4n);
  });
});

describe("a hostile peer", () => {
  it("is disconnected for messages larger than any honest node needs", async () => {
    const { plugin, runtime } = createInside();
    await using _node = await createTestNode({ plugins: [protocolEth, plugin] });
    const { session, status, close } = openSession(runtime(), 68);
    await session.received(0, status);
    const hashes = Array.from({ length: 40_000 }, () => new Uint8Array(32));

    await expect(
      session.received(0x05, encodeRlp([Uint8Array.of(1), hashes])),
    ).rejects.toMatchObject({ reason: "breach-of-protocol" });
    close();
  });

  it("sends a block of 95,000 transactions, none of which is decoded without a seal", async () => {
    const { plugin, runtime } = createInside();
    // The gas used in the header would allow it.
    const genesis = { ...DEV_GENESIS, gasLimit: "0x1fffffffffffff" };
    await using _node = await createTestNode({ genesis, plugins: [protocolEth, plugin] });
    const { session, status, reports, close } = openSession(runtime(), 68);
    await session.received(0, status);
    const payload = await largeBlock(runtime(), 95_000);
    const { newBlock } = codecsOf(68);

    const slices = await measureSlices(async () => {
      await session.received(newBlock.code, payload);
      while (reports.length === 0) await new Promise((resolve) => setImmediate(resolve));
    });

    expect(slices[0]).toBeLessThan(MAX_SLICE_MS);
    // A few milliseconds in total: the body was not decoded.
    expect(slices.reduce((sum, each) => sum + each)).toBeLessThan(MAX_SLICE_MS);
    expect(reports).toEqual(["useless"]);
    close();
  });

  it("sends another body with a sealed header, of which no more is decoded than the header has gas for", async () => {
    const { plugin, runtime } = createInside();
    await using maker = await createTestNode();
    await maker.mine([transfer()]);
    await using _node = await createTestNode({ plugins: [protocolEth, plugin] });
    const header = maker.node.blocks.head();
    const transactions = await repeated(60_000);
    const payload = encodeRlp([[headerToRlp(header), transactions, []], scalarBytes(5n)]);
    const { session, status, peer, close } = openSession(runtime(), 68);
    await session.received(0, status);

    const slices = await measureSlices(async () => {
      await session.received(codecsOf(68).newBlock.code, payload);
      expect(await endOf(peer)).toBe("breach-of-protocol");
    });

    expect(slices[0]).toBeLessThan(MAX_SLICE_MS);
    close();
  });

  it("sends a block of more bytes than gas allows, which is not decompressed", async () => {
    const { plugin, runtime } = createInside();
    const genesis = { ...DEV_GENESIS, gasLimit: "0x47b760" };
    await using _node = await createTestNode({ genesis, plugins: [protocolEth, plugin] });
    const { session, close } = openSession(runtime(), 68);
    const { code } = codecsOf(68).newBlock;

    expect(session.takes(code, 2 ** 20)).toBe(true);
    expect(session.takes(code, 9 * 2 ** 20)).toBe(false);
    close();
  });

  it.each(["blockHeaders", "blockBodies", "pooledTransactions", "receipts"] as const)(
    "sends %s without a request, which are not decompressed",
    async (name) => {
      const { plugin, runtime } = createInside();
      await using _node = await createTestNode({ plugins: [protocolEth, plugin] });
      const { session, close } = openSession(runtime(), 68);

      expect(session.takes(codecsOf(68)[name].code, 1000)).toBe(false);
      close();
    },
  );

  it("is disconnected for a message of invalid transactions, of which few are decoded", async () => {
    const { plugin, runtime } = createInside();
    const rejected: string[] = [];
    const counting = definePlugin({
      name: "counting",
      setup: ({ hooks }) => hooks.pool.rejected.tap(({ reason }) => void rejected.push(reason)),
    });
    await using _node = await createTestNode({ plugins: [protocolEth, counting, plugin] });
    const payload = encodeRlp(await repeated(36_000, { chainId: 9n }));
    const { session, status, close } = openSession(runtime(), 68);
    await session.received(0, status);

    const slices = await measureSlices(async () => {
      await expect(session.received(0x02, payload)).rejects.toMatchObject({
        reason: "breach-of-protocol",
      });
    });

    expect(slices[0]).toBeLessThan(MAX_SLICE_MS);
    expect(rejected.length).toBeLessThan(100);
    close();
  });

  it("does not keep others waiting with many requests", async () => {
    const { plugin, runtime } = createInside();
    await using node = await createTestNode({ plugins: [protocolEth, plugin] });
    for (let made = 0; made < 60; made++) await node.mine([]);
    const { session, status, close } = openSession(runtime(), 68);
    await session.received(0, status);
    const { getBlockHeaders } = codecsOf(68);
    const body = { start: 0n, limit: 512n, skip: 0n, reverse: false };
    const payload = getBlockHeaders.encode({ id: 1n, body });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);

    for (let sent = 0; sent < 300; sent++) await session.received(getBlockHeaders.code, payload);

    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    close();
  });

  it("is disconnected for another body under the hash of a block, and the block is not marked as bad", async () => {
    const { plugin, runtime } = createInside();
    await using maker = await createTestNode();
    await maker.mine([transfer()]);
    await using node = await createTestNode({ plugins: [protocolEth, plugin] });
    const block = maker.node.blocks.findBlock(maker.node.blocks.head().hash);
    if (block === undefined) throw new Error("there is no block");
    const { session, status, peer, close } = openSession(runtime(), 68);
    await session.received(0, status);
    const { newBlock } = codecsOf(68);
    const forged = { header: block.header, body: { transactions: [], uncles: [] } };

    await session.received(newBlock.code, newBlock.encode({ block: forged, totalDifficulty: 5n }));

    expect(await endOf(peer)).toBe("breach-of-protocol");
    expect(node.node.blocks.badBlocks()).toEqual([]);
    close();
  });

  it("sends a block on a state that is no longer kept, which is no fault of this node", async () => {
    const { plugin, runtime } = createInside();
    await using maker = await createTestNode();
    await maker.mine([transfer()]);
    const block = maker.node.blocks.findBlock(maker.node.blocks.head().hash);
    if (block === undefined) throw new Error("there is no block");
    const logs = recordLogs();
    const options = { dataStorageFormat: "BONSAI", historyProofsBlocks: 1 };
    await using node = await createTestNode({ plugins: [protocolEth, plugin], options, logs });
    for (let made = 1n; made <= 4n; made++) await node.mine([transfer({ value: 10n + made })]);
    const { session, status, close } = openSession(runtime(), 68);
    await session.received(0, status);
    const { newBlock } = codecsOf(68);

    await session.received(newBlock.code, newBlock.encode({ block, totalDifficulty: 5n }));

    const { hash } = block.header;
    await expect
      .poll(() =>
        logs.entries.filter(
          ({ message }) => message.includes("block gossip") || message.includes(hash),
        ),
      )
      .toMatchObject([
        {
          level: "debug",
          message: expect.stringMatching(/not imported: .*--history-proofs-blocks/),
        },
      ]);
    close();
  });
});

/** Any other error would be a fault of this node. */
function verifyFault(error: unknown): void {
  if (error instanceof PeerError || error instanceof RlpError) return;
  throw error;
}
