import {
  type Block,
  type Body,
  definePlugin,
  type Hash,
  type Header,
  type Plugin,
  type ProtocolPeer,
  type SealedHeader,
} from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import protocolEth from "@plinth/plugin-protocol-eth";
import { codecsOf } from "@plinth/plugin-protocol-eth/api";
import syncFull from "@plinth/plugin-sync-full";
import {
  createInside,
  createTestNode,
  FakeClock,
  MemoryNetwork,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";

const VERSION = 68;
const codecs = codecsOf(VERSION);

/** The behavior of a hostile peer: its claims and its responses. */
interface Behavior {
  /** Claimed beyond the chain of the honest peer. */
  readonly heavierBy: bigint;
  readonly height: bigint;
  headers?(honest: readonly SealedHeader[]): readonly Header[] | undefined;
  bodies?(hashes: readonly Hash[], find: (hash: Hash) => Body | undefined): readonly Body[];
}

/** A peer that has the blocks of an honest node and implements eth arbitrarily. */
function hostile(behavior: Behavior, honest: () => TestNode): Plugin {
  return definePlugin({
    name: "hostile-eth",
    setup: (node) =>
      node.network.protocol({
        name: "eth",
        version: VERSION,
        length: 17,
        connected: (peer) => createSession(peer, behavior, honest().node.blocks),
      }),
  });
}

function createSession(peer: ProtocolPeer, behavior: Behavior, blocks: TestNode["node"]["blocks"]) {
  const head = blocks.head();
  const claimed = { ...head, number: behavior.height, extraData: new Uint8Array([1]) };
  let isGreeted = false;
  const send = <T>(codec: { code: number; encode(message: T): Uint8Array }, message: T) =>
    peer.send(codec.code, codec.encode(message));
  return {
    received(code: number, payload: Uint8Array) {
      if (code === codecs.status.code) {
        const theirs = codecs.status.decode(payload);
        const totalDifficulty = (blocks.findTotalDifficulty(head.hash) ?? 0n) + behavior.heavierBy;
        send(codecs.status, {
          ...theirs,
          headHash: blocks.seal(claimed).hash,
          totalDifficulty,
        });
      } else if (code === codecs.getBlockHeaders.code) {
        const { id, body } = codecs.getBlockHeaders.decode(payload);
        const answer = isGreeted ? behavior.headers?.(find(blocks, body)) : [claimed];
        isGreeted = true;
        if (answer !== undefined) send(codecs.blockHeaders, { id, body: answer });
      } else if (code === codecs.getBlockBodies.code) {
        const { id, body } = codecs.getBlockBodies.decode(payload);
        const bodies = behavior.bodies?.(body, (hash) => blocks.findBlock(hash)?.body);
        if (bodies !== undefined) send(codecs.blockBodies, { id, body: bodies });
      }
    },
  };
}

type HeaderRequest = ReturnType<typeof codecs.getBlockHeaders.decode>["body"];

function find(
  blocks: TestNode["node"]["blocks"],
  { start, limit, skip, reverse }: HeaderRequest,
): readonly SealedHeader[] {
  const first = blocks.findHeader(start);
  if (first === undefined) return [];
  const step = (skip + 1n) * (reverse ? -1n : 1n);
  const numbers = Array.from({ length: Number(limit) }, (_, n) => first.number + step * BigInt(n));
  return numbers.flatMap((number) => (number < 0n ? [] : (blocks.findHeader(number) ?? [])));
}

/** An endless chain of empty headers. */
function endless(honest: readonly SealedHeader[], seal: (header: Header) => SealedHeader) {
  const [first] = honest;
  if (first === undefined) return [];
  const headers: Header[] = [first];
  let parent = first;
  for (let made = 1; made < 200; made++) {
    const { hash, ...rest } = parent;
    parent = seal({
      ...rest,
      parentHash: hash,
      number: parent.number + 1n,
      timestamp: parent.timestamp + 1n,
      unclesHash: NO_UNCLES_HASH,
      extraData: new Uint8Array([7]),
    });
    headers.push(parent);
  }
  return headers;
}

describe("a synchronization beside a peer", () => {
  const cases: readonly [string, Behavior][] = [
    ["that does not respond", { heavierBy: 10n, height: 400n }],
    ["that has no headers", { heavierBy: 10n, height: 400n, headers: () => [] }],
    [
      "that shows one header at a time",
      { heavierBy: 10n, height: 400n, headers: (all) => all.slice(0, 1) },
    ],
    [
      "whose headers are not the requested ones",
      { heavierBy: 10n, height: 400n, headers: (all) => [...all].reverse() },
    ],
    [
      "whose headers are not consecutive",
      {
        heavierBy: 10n,
        height: 400n,
        headers: (all) => all.map((header) => ({ ...header, extraData: new Uint8Array([9]) })),
      },
    ],
    [
      "that has wrong bodies",
      {
        heavierBy: 0n,
        height: 400n,
        headers: (all) => all,
        bodies: (hashes) => hashes.map(() => ({ transactions: [], uncles: [] })),
      },
    ],
    [
      "that has no bodies",
      { heavierBy: 0n, height: 400n, headers: (all) => all, bodies: () => [] },
    ],
  ];

  it.each(cases)("%s ends at the head of the honest one", async (_, behavior) => {
    const { clock, start } = createNetwork();
    await using honest = await start("honest", [protocolEth, syncFull]);
    for (let made = 0; made < 30; made++) await honest.mine([transfer()], []);
    await using _hostile = await start("hostile", [hostile(behavior, () => honest)]);
    await using node = await start("node", [protocolEth, syncFull]);

    await clock.advance(120_000);

    expect(node.node.blocks.head()).toEqual(honest.node.blocks.head());
  });

  it("that claims a height and shows nothing is not waited for", async () => {
    const { clock, start } = createNetwork();
    await using honest = await start("honest", [protocolEth, syncFull]);
    await honest.mine([transfer()]);
    const behavior: Behavior = { heavierBy: 2n ** 64n, height: 2n ** 63n };
    const inside = createInside();
    await using _hostile = await start("hostile", [hostile(behavior, () => honest)]);
    await using node = await start("node", [protocolEth, syncFull, inside.plugin]);

    for (let second = 0; second < 120; second++) {
      await clock.advance(1_000);
      expect(inside.runtime().sync.isSyncing).toBe(false);
    }
    expect(node.node.blocks.head()).toEqual(honest.node.blocks.head());
  });

  it("continues after a fault of a plugin of this node", async () => {
    const { clock, start } = createNetwork();
    await using honest = await start("honest", [protocolEth, syncFull]);
    for (let made = 0; made < 10; made++) await honest.mine([transfer()]);
    let failures = 0;
    const failing = definePlugin({
      name: "failing",
      setup: ({ hooks }) =>
        hooks.chain.commit.tap(() => {
          failures += 1;
          if (failures === 5) throw new Error("once");
        }),
    });
    await using node = await start("node", [protocolEth, syncFull, failing]);

    await clock.advance(60_000);

    expect(failures).toBeGreaterThan(5);
    expect(node.node.blocks.head()).toEqual(honest.node.blocks.head());
  });

  it("with an endless chain of empty blocks ends at the head of the honest one", async () => {
    const { clock, start } = createNetwork();
    await using honest = await start("honest", [protocolEth, syncFull]);
    for (let made = 0; made < 30; made++) await honest.mine([transfer()]);
    const behavior: Behavior = {
      heavierBy: 2n ** 64n,
      height: 2n ** 63n,
      headers: (all) => endless(all, (header) => honest.node.blocks.seal(header)),
      bodies: (hashes) => hashes.map(() => ({ transactions: [], uncles: [] })),
    };
    await using _hostile = await start("hostile", [hostile(behavior, () => honest)]);
    await using node = await start("node", [protocolEth, syncFull]);

    await clock.advance(120_000);

    expect(node.node.blocks.head()).toEqual(honest.node.blocks.head());
  });

  it("whose heavier chain is invalid at its end keeps the valid part and remembers the block", async () => {
    const { clock, start } = createNetwork();
    await using honest = await start("honest", [protocolEth, syncFull]);
    for (let made = 0; made < 5; made++) await honest.mine([transfer()]);
    await using forger = await start("forger", [protocolEth, syncFull]);
    await clock.advance(20_000);
    const last = forger.node.blocks.head();
    const forged: Block = {
      header: { ...last, number: last.number + 1n, parentHash: last.hash, gasUsed: 1n },
      body: { transactions: [], uncles: [] },
    };
    const { hash } = forger.node.blocks.seal(forged.header);
    const behavior: Behavior = {
      heavierBy: 1n,
      height: last.number + 1n,
      headers: (all) => [...all, ...(all.at(-1)?.hash === last.hash ? [forged.header] : [])],
      bodies: (hashes, findBody) =>
        hashes.flatMap((each) => (each === hash ? forged.body : (findBody(each) ?? []))),
    };
    await using _hostile = await start("hostile", [hostile(behavior, () => honest)]);
    await using node = await start("node", [protocolEth, syncFull]);

    await clock.advance(60_000);

    expect(node.node.blocks.head()).toEqual(last);
  });
});

function createNetwork() {
  const clock = new FakeClock(1_700_000_000_000);
  const network = new MemoryNetwork({ clock });
  const start = (name: string, plugins: readonly Plugin[]) =>
    createTestNode({
      plugins: [...plugins, network.plugin(name)],
      options: { networkDriver: "memory" },
      clock,
    });
  return { clock, start };
}
