import {
  type Body,
  definePlugin,
  type Hash,
  type Header,
  type Plugin,
  type ProtocolPeer,
  type SealedHeader,
} from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import protocolEth from "@plinth/plugin-protocol-eth";
import { codecsOf } from "@plinth/plugin-protocol-eth/api";
import syncFull from "@plinth/plugin-sync-full";
import { createTestNode, FakeClock, MemoryNetwork, type TestNode, transfer } from "@plinth/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

const codecs = codecsOf(68);
/** Just before a request times out. */
const LAST_MOMENT_MS = 4_990;
/** More than the distance between two anchors, and than one batch of bodies. */
const BLOCKS = 201;
const WITH_BODIES = 102;

type HeaderRequest = ReturnType<typeof codecs.getBlockHeaders.decode>["body"];

/** The claims and responses of a lying peer; by default those of an honest one. */
interface Lie {
  /** Claimed beyond the chain of the honest peer. */
  readonly heavierBy?: bigint;
  readonly height?: bigint;
  readonly delayMs?: number;
  headers?(request: HeaderRequest): readonly Header[];
  bodies?(hashes: readonly Hash[], answer: readonly Body[]): readonly Body[];
  /** Called as soon as the handshake is done. */
  greeted?(peer: ProtocolPeer): void;
}

interface Case {
  readonly what: string;
  readonly liars?: number;
  /** By then the node is at the honest head. */
  readonly seconds: number;
  /** Why liars are disconnected; omitted if the node cannot tell them from honest ones. */
  readonly ends?: string;
  lie(liar: number): Lie;
}

const clock = new FakeClock(1_700_000_000_000);
const network = new MemoryNetwork({ clock });
/** How the node ended connections, by peer. */
const ends = new Map<NodeId, string>();
let honest: TestNode;
const running: TestNode[] = [];

const start = (name: string, ...plugins: readonly Plugin[]) =>
  createTestNode({
    plugins: [...plugins, network.plugin(name)],
    options: { networkDriver: "memory" },
    clock,
  });

/** A node that is behind, and records which peers it disconnects. */
function startNode(name: string): Promise<TestNode> {
  ends.clear();
  const watch = definePlugin({
    name: "watch",
    setup: ({ hooks }) =>
      hooks.network.disconnected.tap(({ peer, reason, byPeer }) => {
        if (!byPeer && reason !== "client-quitting") ends.set(peer.id, reason);
      }),
  });
  return start(name, protocolEth, syncFull, watch);
}

/** A peer that has the blocks of the honest one, and lies. */
function startLiar(name: string, lie: Lie): Promise<TestNode> {
  const plugin = definePlugin({
    name: "lying-eth",
    setup: (node) =>
      node.network.protocol({
        name: "eth",
        version: 68,
        length: 17,
        connected: (peer) => createSession(peer, lie),
      }),
  });
  return start(name, plugin);
}

function createSession(peer: ProtocolPeer, lie: Lie) {
  const { blocks } = honest.node;
  const head = blocks.head();
  const claimed =
    lie.heavierBy === undefined
      ? head
      : blocks.seal({ ...head, number: lie.height ?? 0n, extraData: new Uint8Array([1]) });
  let isGreeted = false;
  const send = <T>(codec: { code: number; encode(message: T): Uint8Array }, message: T) =>
    clock.after(isGreeted ? (lie.delayMs ?? 0) : 0, () => {
      peer.send(codec.code, codec.encode(message));
    });
  return {
    received(code: number, payload: Uint8Array) {
      if (code === codecs.status.code) {
        const own = blocks.findTotalDifficulty(head.hash) ?? 0n;
        const status = codecs.status.decode(payload);
        const totalDifficulty = own + (lie.heavierBy ?? -1n);
        const message = codecs.status.encode({
          ...status,
          headHash: claimed.hash,
          totalDifficulty,
        });
        peer.send(code, message);
        lie.greeted?.(peer);
      } else if (code === codecs.getBlockHeaders.code) {
        const { id, body } = codecs.getBlockHeaders.decode(payload);
        const isHead = body.start === claimed.hash;
        const answer = isHead ? [claimed] : (lie.headers?.(body) ?? find(body));
        send(codecs.blockHeaders, { id, body: answer });
        isGreeted = true;
      } else if (code === codecs.getBlockBodies.code) {
        const { id, body } = codecs.getBlockBodies.decode(payload);
        const right = body.flatMap((hash) => blocks.findBlock(hash)?.body ?? []);
        send(codecs.blockBodies, { id, body: lie.bodies?.(body, right) ?? right });
      }
    },
  };
}

function find({ start, limit, skip, reverse }: HeaderRequest): readonly SealedHeader[] {
  const { blocks } = honest.node;
  const first = blocks.findHeader(start);
  if (first === undefined) return [];
  const step = (skip + 1n) * (reverse ? -1n : 1n);
  const numbers = Array.from({ length: Number(limit) }, (_, n) => first.number + step * BigInt(n));
  return numbers.flatMap((number) => (number < 0n ? [] : (blocks.findHeader(number) ?? [])));
}

/** An invented chain, whose bodies only its inventor has. */
function invent(liar: number): Pick<Lie, "headers" | "bodies"> {
  const { blocks } = honest.node;
  const { header, body } = blocks.findBlock(1n) ?? expect.fail("no block");
  const invented = new Set<Hash>();
  const extend = (first: SealedHeader, count: number) => {
    const headers = [first];
    for (let parent = first; headers.length < count; headers.push(parent)) {
      const { hash: parentHash, number, timestamp } = parent;
      const place = { parentHash, number: number + 1n, timestamp: timestamp + 1n };
      parent = blocks.seal({ ...header, ...place, extraData: new Uint8Array([liar]) });
      invented.add(parent.hash);
    }
    return headers;
  };
  return {
    headers: (request) =>
      find(request)
        .slice(0, 1)
        .flatMap((first) => extend(first, 180)),
    bodies: (hashes) => hashes.slice(0, 1).flatMap((hash) => (invented.has(hash) ? [body] : [])),
  };
}

const head = (node: TestNode) => node.node.blocks.head().number;

/** Advances until a node is at the head of the honest one; returns how many seconds that took. */
async function secondsToHead(node: TestNode): Promise<number> {
  for (let seconds = 0; seconds < 600; seconds += 5) {
    if (head(node) === head(honest)) return seconds;
    await clock.advance(5_000);
  }
  return Number.POSITIVE_INFINITY;
}

const idOf = (node: TestNode): NodeId =>
  node.node.network?.localNode?.enode.id ?? expect.fail("no id");

describe("a node that synchronizes beside lying peers", () => {
  beforeAll(async () => {
    honest = await start("honest", protocolEth, syncFull);
    const blocks = Array.from({ length: BLOCKS }, (_, n) => (n < WITH_BODIES ? [transfer()] : []));
    await honest.mine(...blocks);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((liar) => liar.stop()));
  });
  afterAll(() => honest.stop());

  const late = { delayMs: LAST_MOMENT_MS };
  const cases: readonly Case[] = [
    {
      what: "one body at a time, each at the last moment",
      liars: 2,
      seconds: 40,
      lie: () => ({ ...late, bodies: (_, right) => right.slice(0, 1) }),
    },
    { what: "no bodies, at once", liars: 5, seconds: 40, lie: () => ({ bodies: () => [] }) },
    {
      what: "an invented chain, one body at a time, each at the last moment",
      liars: 3,
      seconds: 120,
      ends: "breach-of-protocol",
      lie: (liar) => ({ ...late, heavierBy: 10n, height: 180n, ...invent(liar) }),
    },
    {
      what: "wrong bodies",
      seconds: 40,
      ends: "breach-of-protocol",
      lie: () => ({ bodies: (_, right) => [...right].reverse() }),
    },
    {
      what: "more bodies than requested",
      seconds: 40,
      ends: "breach-of-protocol",
      lie: () => ({ bodies: (_, right) => [...right, ...right] }),
    },
    {
      what: "more headers than requested",
      seconds: 40,
      ends: "breach-of-protocol",
      lie: () => ({
        heavierBy: 10n,
        height: 400n,
        headers: (request) => [...find(request), ...find(request)],
      }),
    },
    {
      what: "another head every moment, and unrequested receipts",
      seconds: 40,
      lie: () => ({ greeted: flip, headers: () => [] }),
    },
  ];

  it.each(cases)("and respond with $what reaches the honest head", async (given) => {
    const { what, liars = 1, seconds, lie } = given;
    const names = Array.from({ length: liars }, (_, index) => `${what} ${index}`);
    for (const [index, name] of names.entries()) running.push(await startLiar(name, lie(index)));
    // The honest peer connects after the others.
    network.partition([what, ...names]);
    await using node = await startNode(what);
    await clock.advance(1_000);
    network.heal();

    expect(await secondsToHead(node)).toBeLessThanOrEqual(seconds);
    expect(ends.get(idOf(honest))).toBeUndefined();
    expect(new Set(ends.values())).toEqual(new Set(given.ends === undefined ? [] : [given.ends]));
  });

  it("does not refetch its own chain for one that hides the common part", async () => {
    await using node = await startNode("in sync");
    await secondsToHead(node);
    let asked = 0;
    const lie: Lie = {
      heavierBy: 10n,
      height: 400n,
      headers(request) {
        const headers = find(request);
        return typeof request.start === "bigint" ? alter(headers) : headers;
      },
      bodies(_, right) {
        asked += 1;
        return right;
      },
    };
    network.partition(["in sync", "hiding"]);
    await using _liar = await startLiar("hiding", lie);

    await clock.advance(20_000);
    network.heal();

    expect(asked).toBe(0);
  });
});

/** Other headers in place of these, consecutive; none of them is shared. */
function alter(headers: readonly SealedHeader[]): readonly SealedHeader[] {
  const altered: SealedHeader[] = [];
  let parentHash: Hash | undefined;
  for (const header of [...headers].reverse()) {
    const changed = { ...header, extraData: new Uint8Array([8]) };
    const sealed = honest.node.blocks.seal({
      ...changed,
      parentHash: parentHash ?? header.parentHash,
    });
    parentHash = sealed.hash;
    altered.unshift(sealed);
  }
  return altered;
}

function flip(peer: ProtocolPeer): void {
  const hashOf = (n: number): Hash => `0x${n.toString(16).padStart(64, "0")}`;
  for (let sent = 1; sent <= 50; sent++) {
    const announced = { hash: hashOf(sent), number: BigInt(sent % 2 === 0 ? 1 : 2 ** 50 + sent) };
    clock.after(sent * 20, () => {
      peer.send(codecs.newBlockHashes.code, codecs.newBlockHashes.encode([announced]));
      peer.send(codecs.receipts.code, codecs.receipts.encode({ id: BigInt(sent), body: [[]] }));
    });
  }
}
