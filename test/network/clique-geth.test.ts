import { describe, expect, it } from "vitest";
import { cliqueGenesis, SIGNERS, type TestSigner } from "../support/clique-chain.js";
import { isGethMissing } from "../support/geth.js";
import { report } from "../support/report.js";
import { type CliqueNode, startGeth, startPlinth } from "./clique-nodes.js";
import { until } from "./network-node.js";

/** A short form, and 300 blocks with `npm run long -- clique`. */
const BLOCKS = Number(process.env.PLINTH_CLIQUE_BLOCKS ?? 40);
const STEP_LIMIT_MS = 120_000;
const LIMIT_MS = 900_000 + BLOCKS * 4000;
/** Maximum distance of two nodes that follow one chain. */
const DEPTH = 5;

const [A, B, C, D, E, F] = SIGNERS as unknown as readonly [
  TestSigner,
  TestSigner,
  TestSigner,
  TestSigner,
  TestSigner,
  TestSigner,
];

const FORKS = [
  ...["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople"],
  ...["petersburg", "istanbul", "berlin", "london"],
];

/** Geth and Besu spell the settings of Clique in their own ways. */
const GENESIS = cliqueGenesis({
  signers: [A, B, C, D],
  clique: { blockperiodseconds: 1, period: 1, epochlength: 30_000, epoch: 30_000 },
  config: Object.fromEntries(FORKS.map((name) => [`${name}Block`, 0])),
  timestamp: Math.floor(Date.now() / 1000) - 10,
});

describe.skipIf(isGethMissing())(
  "two signers of geth and two of ours",
  { timeout: LIMIT_MS },
  () => {
    it(`produce ${BLOCKS} blocks with votes, restarts, a late node of each kind and a partition`, async () => {
      await using ours = await startPlinth(A, GENESIS);
      await using geth = await startGeth(B, GENESIS);
      await using ours2 = await startPlinth(C, GENESIS);
      await using geth2 = await startGeth(D, GENESIS);
      const signers = [ours, geth, ours2, geth2];
      await mesh(signers);

      await untilAt(signers, 12, STEP_LIMIT_MS);
      for (const node of signers) {
        await until(async () => (await leastActive(node, signers)) > 0, STEP_LIMIT_MS);
      }
      expect(await clientsOf(ours)).toContain("Geth/v1.13.15");
      expect(await clientsOf(geth)).toContain("plinth/");

      // A vote of each kind is counted by the other kind.
      await ours.rpc("clique_propose", [E.address, true]);
      await until(async () => isVoted(await snapshotOf(geth), ours, E), STEP_LIMIT_MS);
      await geth.rpc("clique_propose", [E.address, true]);
      await until(async () => isVoted(await snapshotOf(ours2), geth, E), STEP_LIMIT_MS);

      // A node of each kind synchronizes from one of the other kind alone; ours becomes the fifth
      // signer.
      await using fifth = await startPlinth(E, GENESIS);
      await using follower = await startGeth(F, GENESIS);
      await connect(fifth, geth2);
      await connect(follower, ours2);
      await untilAt([fifth, follower], 12, STEP_LIMIT_MS);
      await geth2.rpc("clique_propose", [E.address, true]);
      await until(async () => (await signersOf(geth)).includes(E.address), STEP_LIMIT_MS);
      await until(async () => (await signersOf(ours)).includes(E.address), STEP_LIMIT_MS);
      await until(
        async () => ((await statusOf(geth)).sealerActivity[E.address] ?? 0) > 1,
        STEP_LIMIT_MS,
      );
      for (const node of [ours, ours2, geth]) await node.rpc("clique_propose", [E.address, false]);
      await geth2.rpc("clique_discard", [E.address]);
      await until(async () => !(await signersOf(geth)).includes(E.address), STEP_LIMIT_MS);
      await until(async () => !(await signersOf(ours)).includes(E.address), STEP_LIMIT_MS);

      // One of each kind is killed and restarted.
      for (const node of [ours2, geth2]) {
        await node.killAndRestart();
        await mesh(signers);
        const reached = await lowest(signers);
        await untilAt(signers, reached + 5, STEP_LIMIT_MS);
      }
      await agree([...signers, fifth]);

      // Two halves, one of each kind in both: neither has a majority.
      const halves = [
        [ours, geth],
        [ours2, geth2],
      ] as const;
      await disconnect(fifth, geth2);
      await disconnect(follower, ours2);
      for (const one of halves[0]) for (const other of halves[1]) await disconnect(one, other);
      const before = await Promise.all(signers.map(heightOf));
      await pause(8000);
      const during = await Promise.all(signers.map(heightOf));
      const made = during.map((height, index) => height - (before[index] ?? 0));
      for (const count of made) expect(count).toBeLessThanOrEqual(2);
      await mesh(signers);
      const healed = Math.max(...during);
      await untilAt(signers, healed + 5, STEP_LIMIT_MS);
      await agree(signers);

      await untilAt(signers, BLOCKS, BLOCKS * 4000);
      await agree(signers);
      const { inturnPercent, sealerActivity } = await statusOf(ours);
      report("blocks of the mixed network, percent in turn", {
        made,
        inturnPercent,
        sealerActivity,
      });
      for (const { address } of signers) expect(sealerActivity[address]).toBeGreaterThan(0);
    });
  },
);

interface Status {
  readonly inturnPercent: number;
  readonly sealerActivity: Readonly<Record<string, number>>;
}

interface Head {
  readonly number: string;
  readonly hash: string;
  readonly totalDifficulty: string;
}

interface Snapshot {
  readonly votes: readonly { readonly signer: string; readonly address: string }[] | null;
}

const statusOf = async (node: CliqueNode) => (await node.rpc("clique_status")) as Status;
const leastActive = async (node: CliqueNode, signers: readonly CliqueNode[]) => {
  const { sealerActivity } = await statusOf(node);
  return Math.min(...signers.map(({ address }) => sealerActivity[address] ?? 0));
};
const snapshotOf = async (node: CliqueNode) => (await node.rpc("clique_getSnapshot")) as Snapshot;
const heightOf = async (node: CliqueNode) => Number(await node.rpc("eth_blockNumber"));
const signersOf = async (node: CliqueNode) =>
  ((await node.rpc("clique_getSigners")) as readonly string[]).map((each) => each.toLowerCase());

async function clientsOf(node: CliqueNode): Promise<string> {
  const peers = (await node.rpc("admin_peers")) as readonly { readonly name: string }[];
  return peers.map(({ name }) => name).join(" ");
}

function isVoted({ votes }: Snapshot, voter: CliqueNode, candidate: TestSigner): boolean {
  return (votes ?? []).some(
    ({ signer, address }) =>
      signer.toLowerCase() === voter.address && address.toLowerCase() === candidate.address,
  );
}

async function lowest(nodes: readonly CliqueNode[]): Promise<number> {
  return Math.min(...(await Promise.all(nodes.map(heightOf))));
}

/** Waits until all have a block; the error contains the head of each. */
async function untilAt(
  nodes: readonly CliqueNode[],
  height: number,
  limitMs: number,
): Promise<void> {
  await until(async () => (await lowest(nodes)) >= height, limitMs).catch(async (cause) => {
    const heads = await Promise.all(nodes.map(describeHead));
    throw new Error(`not all are at ${height}: ${heads.join("; ")}`, { cause });
  });
}

async function describeHead(node: CliqueNode): Promise<string> {
  const head = (await node.rpc("eth_getBlockByNumber", ["latest", false])) as Head;
  const peers = Number(await node.rpc("net_peerCount"));
  const { number, hash, totalDifficulty } = head;
  return `${node.kind} ${node.address} has ${Number(number)} ${hash}, weight ${Number(totalDifficulty)}, ${peers} peers`;
}

async function connect(from: CliqueNode, to: CliqueNode): Promise<void> {
  await from.rpc("admin_addPeer", [await to.enode()]);
  await until(() => isConnected(from, to), STEP_LIMIT_MS);
}

async function disconnect(one: CliqueNode, other: CliqueNode): Promise<void> {
  await one.rpc("admin_removePeer", [await other.enode()]);
  await other.rpc("admin_removePeer", [await one.enode()]);
  await until(async () => !(await isConnected(one, other)), STEP_LIMIT_MS);
}

async function isConnected(from: CliqueNode, to: CliqueNode): Promise<boolean> {
  const key = idOf(await to.enode());
  const peers = (await from.rpc("admin_peers")) as readonly { readonly enode: string }[];
  return peers.some(({ enode }) => idOf(enode) === key);
}

const idOf = (enode: string) => /^enode:\/\/([0-9a-f]+)@/.exec(enode)?.[1];

async function mesh(nodes: readonly CliqueNode[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    for (const other of nodes.slice(index + 1)) {
      if (!(await isConnected(node, other))) await connect(node, other);
    }
  }
}

/** All have the same blocks up to a few below their heads. */
async function agree(nodes: readonly CliqueNode[]): Promise<void> {
  const number = `0x${Math.max(0, (await lowest(nodes)) - DEPTH).toString(16)}`;
  const blocks = await Promise.all(
    nodes.map((node) => node.rpc("eth_getBlockByNumber", [number, false])),
  );
  expect(new Set(blocks.map((block) => (block as { readonly hash: string }).hash)).size).toBe(1);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
