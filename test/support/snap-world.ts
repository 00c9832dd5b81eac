// Nodes in memory that join a QBFT chain by their peers, which may send anything.
import {
  type Block,
  createMemoryStorageDriver,
  decodeRlp,
  definePlugin,
  encodeRlp,
  type Hash,
  type KeyValueStore,
  type Plugin,
  type ProtocolPeer,
  type Rlp,
  type Runtime,
  type SubProtocol,
} from "@plinth/core";
import { createNode } from "@plinth/node";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import protocolEth from "@plinth/plugin-protocol-eth";
import protocolSnap from "@plinth/plugin-protocol-snap";
import syncFull from "@plinth/plugin-sync-full";
import syncSnap from "@plinth/plugin-sync-snap";
import { createTestNode, evms, FakeClock, MemoryNetwork, recordLogs } from "@plinth/testing";
import { expect } from "vitest";
import { SNAPSHOT_CHAINS, startSnapshotNode } from "./snapshot-chain.js";
import { temporaryFolder } from "./temporary-folder.js";

const LIMIT_MS = 20_000;
/** A slot or a value. */
export const slotOf = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;
const contractOf = (slots: number, code: string) => ({
  balance: "0x1",
  code,
  storage: Object.fromEntries(
    Array.from({ length: slots }, (_, index) => [slotOf(index), slotOf(index + 1)]),
  ),
});
const GENESIS = {
  ...SNAPSHOT_CHAINS.qbft,
  alloc: {
    ...SNAPSHOT_CHAINS.qbft.alloc,
    [`0x${"c0".repeat(20)}`]: contractOf(40, "0x6001"),
    [`0x${"c1".repeat(20)}`]: contractOf(30, "0x6002"),
    [`0x${"c2".repeat(20)}`]: contractOf(1, "0x6001"),
    // In one sixteenth of the keys, so that they are requested together.
    [`0x${"d1".repeat(20)}`]: contractOf(1, "0x6003"),
    [`0x${"d4".repeat(20)}`]: contractOf(1, "0x6004"),
    [`0x${"da".repeat(20)}`]: contractOf(1, "0x6005"),
  },
};
/** The block at which nodes join. */
export const PIVOT = 4n;
/** Number of blocks of a peer, and of those that follow. */
export const COUNT = Number(PIVOT) + 16;
export const LATER = 2;

/** A genesis file, and the blocks after block 0. */
export interface SnapChain {
  readonly genesis: typeof GENESIS;
  readonly blocks: readonly Block[];
}

/** A QBFT chain of `COUNT` and `LATER` blocks, whose state has contracts. */
export async function makeSnapChain(): Promise<SnapChain> {
  using folder = temporaryFolder();
  await using node = await startSnapshotNode(folder.path, "qbft", { genesis: GENESIS });
  const blocks: Block[] = [];
  for (let value = 1n; value <= COUNT + LATER; value++) {
    await node.add({ to: `0x${"b0".repeat(20)}`, value });
    blocks.push(node.node.node.blocks.findBlock(value) ?? expect.fail("no block"));
  }
  return { genesis: GENESIS, blocks };
}

/** A database with the first blocks of a chain. */
export async function fillDisk(
  { genesis, blocks }: Pick<SnapChain, "blocks"> & { readonly genesis: object },
  count: number,
): Promise<KeyValueStore> {
  const disk = await createDisk();
  await using node = await createTestNode({
    plugins: [consensusQbft, consensusClique, storageOn(disk)],
    options: { keyValueStorage: "disk", dataStorageFormat: "BONSAI" },
    genesis,
  });
  for (const block of blocks.slice(0, count)) {
    await node.node.blocks.import(block, { origin: "peer" });
  }
  return disk;
}

/** A store that survives its node, like a disk. */
export function storageOn(disk: KeyValueStore) {
  return definePlugin({
    name: "storage-disk",
    setup: (node) =>
      node.storage.driver({
        name: "disk",
        open: async () => ({
          table: (name) => disk.table(name),
          batch: () => disk.batch(),
          snapshot: () => disk.snapshot(),
          close: async () => {},
        }),
      }),
  });
}

/** Changes what a peer sends; `undefined` sends nothing. */
export type Change = (
  code: number,
  response: readonly Rlp[],
) => Uint8Array | readonly Rlp[] | undefined;
/** Changes what a peer receives. */
export type Narrow = (code: number, request: readonly Rlp[]) => readonly Rlp[];

/** The snap protocol of a peer with other responses. */
export function alteredSnap(change: Change, narrow: Narrow = (_, request) => request) {
  const alter = (peer: ProtocolPeer): ProtocolPeer => ({
    ...peer,
    send(code, payload) {
      const changed = change(code, decodeRlp(payload) as readonly Rlp[]);
      if (changed === undefined) return true;
      return peer.send(code, changed instanceof Uint8Array ? changed : encodeRlp(changed));
    },
  });
  return definePlugin({
    name: "altered-snap",
    setup(node) {
      const protocol = (offered: SubProtocol<Runtime>) =>
        node.network.protocol({
          ...offered,
          connected(peer, runtime) {
            const session = offered.connected(alter(peer), runtime);
            return {
              received: (code, payload) =>
                session.received(
                  code,
                  encodeRlp(narrow(code, decodeRlp(payload) as readonly Rlp[])),
                ),
            };
          },
        });
      const network = { ...node.network, protocol };
      protocolSnap.setup({ ...node, config: { XsnapsyncServerEnabled: true }, network } as never);
    },
  });
}

const HONEST = alteredSnap((_, response) => response);

/** Peers and nodes that join in one network, with one clock that stands still. */
export function createWorld(
  { genesis: own, blocks }: Pick<SnapChain, "blocks"> & { readonly genesis: object },
  served: KeyValueStore,
) {
  const clock = new FakeClock(Number(blocks.at(-1)?.header.timestamp) * 1000);
  const network = new MemoryNetwork({ clock });
  const logs = recordLogs();
  const lines = () => logs.entries.map(({ message }) => message);
  /** Lets time pass until something is the case. */
  const until = async (isReached: () => boolean) => {
    const end = performance.now() + LIMIT_MS;
    while (!isReached()) {
      if (performance.now() > end) expect.fail(lines().join("\n"));
      await clock.advance(50);
    }
  };
  return {
    clock,
    lines,
    until,
    untilLine: (text: string) => until(() => lines().some((line) => line.includes(text))),
    /** A peer with blocks. */
    startPeer(
      name: string,
      {
        eth = protocolEth,
        snap = HONEST,
        disk = served,
      }: { readonly eth?: Plugin; readonly snap?: Plugin; readonly disk?: KeyValueStore } = {},
    ) {
      return createTestNode({
        plugins: [
          ...[consensusQbft, consensusClique, eth, snap],
          ...[network.plugin(name), storageOn(disk)],
        ],
        options: { networkDriver: "memory", keyValueStorage: "disk", dataStorageFormat: "BONSAI" },
        genesis: own,
        clock,
      });
    },
    /** A node that joins; not started yet. */
    createJoiner(disk: KeyValueStore, options: object = {}, genesis: object = own) {
      return createNode({
        plugins: [
          ...[consensusQbft, consensusClique, protocolEth, syncFull, syncSnap, ...evms],
          ...[storageOn(disk), network.plugin("joiner")],
        ],
        options: {
          ...{ networkDriver: "memory", keyValueStorage: "disk", dataStorageFormat: "BONSAI" },
          ...{ syncMode: "SNAP", ...options },
        },
        genesis,
        clock,
        logs,
      });
    },
  };
}

/** An empty database in memory. */
export function createDisk(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}

/** Whether a promise is settled. */
export function watch(promise: Promise<void>): { readonly isOver: boolean } {
  const watched = { isOver: false };
  const end = () => {
    watched.isOver = true;
  };
  promise.then(end, end);
  return watched;
}
