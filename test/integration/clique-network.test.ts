import { type Address, hexToBytes, type SealedHeader } from "@plinth/core";
import { ALICE, createRandom, signTransaction, transfer } from "@plinth/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signerOf } from "../support/clique-chain.js";
import { CliqueNetwork } from "../support/clique-network.js";

const LIMIT_MS = 600_000;
const PERIOD_MS = 2000;
const SCHEDULES = Number(process.env.PLINTH_CLIQUE_SCHEDULES ?? 4);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("four signers", { timeout: LIMIT_MS }, () => {
  it("produce blocks while one is down, stop when two are, and continue within two periods", async () => {
    await using network = await CliqueNetwork.start({
      signers: 4,
      clique: { blockperiodseconds: PERIOD_MS / 1000 },
    });
    await network.until(() => lowest(network) >= 6n, 60_000);

    await network.kill(3);
    const withThree = lowest(network);
    await network.until(() => lowest(network) >= withThree + 6n, 12 * PERIOD_MS);
    await network.kill(1);
    const withTwo = highest(network);
    await network.run(10 * PERIOD_MS);
    const stopped = highest(network);
    await network.run(10 * PERIOD_MS);

    // Each of the two may sign once more.
    expect(stopped - withTwo).toBeLessThanOrEqual(2n);
    expect(highest(network)).toBe(stopped);
    expect(lowest(network)).toBe(stopped);

    await network.startNode(1);
    const waited = await network.until(() => highest(network) > stopped, 60_000);
    expect(waited).toBeLessThanOrEqual(2 * PERIOD_MS);
    await network.startNode(3);
    await network.until(() => lowest(network) >= stopped + 10n, 40 * PERIOD_MS);
    expectOneBlockPerParent(network);
  });

  it("vote a fifth in and out, also if the proposers were restarted", async () => {
    await using network = await CliqueNetwork.start({ signers: 4, others: 1 });
    const fifth = network.address(4);
    const isSigner = async () =>
      ((await network.node(0).rpc("clique_getSigners")) as readonly Address[]).includes(fifth);
    for (const index of [0, 1, 2]) await network.node(index).rpc("clique_propose", [fifth, true]);
    await network.kill(0);
    await network.startNode(0);

    await untilAsync(network, isSigner, 120_000);
    const joined = lowest(network);
    await network.until(() => signedBy(network, fifth) > 2, 60_000);

    for (const index of [0, 1, 2]) await network.node(index).rpc("clique_propose", [fifth, false]);
    await untilAsync(network, async () => !(await isSigner()), 120_000);
    const left = highest(network);
    await network.until(() => lowest(network) >= left + 8n, 60_000);

    expect(left).toBeGreaterThan(joined);
    const later = [...network.seen.values()].filter(({ number }) => number > left + 1n);
    expect(later.filter((header) => signerOf(header) === fifth)).toEqual([]);
    expect(await network.node(4).rpc("clique_getSigners")).toHaveLength(4);
  });

  it.each(Array.from({ length: SCHEDULES }, (_, index) => index + 1))(
    "end with one head after random power failures and restarts, seed %i",
    async (seed) => {
      vi.spyOn(Math, "random").mockImplementation(createRandom(seed));
      await using network = await CliqueNetwork.start({ signers: 4, seed });
      const { random } = network;
      const pick = (list: readonly number[]) => list[Math.floor(random() * list.length)];

      for (let event = 0; event < 8; event++) {
        await network.run(random() * 2500);
        const down = [0, 1, 2, 3].filter((index) => !network.running.includes(index));
        const index = random() < 0.5 ? pick(down) : pick(network.running);
        if (index === undefined) continue;
        if (down.includes(index)) await network.startNode(index);
        else await network.kill(index);
      }
      for (const index of [0, 1, 2, 3]) {
        if (!network.running.includes(index)) await network.startNode(index);
      }
      const reached = network.running.length === 4 ? highest(network) : 0n;
      await network.until(() => lowest(network) >= reached + 3n, 120_000);
      // Blocks are a second apart; messages in flight arrive in between.
      await network.until(() => hashes(network).size === 1, 60_000);

      expectOneBlockPerParent(network);
    },
  );
});

describe("four signers in two halves", { timeout: LIMIT_MS }, () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "produce at most two blocks each, and heal, seed %i",
    async (seed) => {
      vi.spyOn(Math, "random").mockImplementation(createRandom(seed));
      await using network = await CliqueNetwork.start({ signers: 4, seed });

      for (const others of [1, 2, 3, 1, 2, 3]) {
        const reached = highest(network);
        await network.until(() => lowest(network) > reached, 60_000);
        await network.run(network.random() * 1000);
        const half = [0, others];
        const rest = [1, 2, 3].filter((index) => index !== others);
        const before = network.heads();
        network.network.partition(
          half.map((index) => network.name(index)),
          rest.map((index) => network.name(index)),
        );
        await network.run(40_000);
        for (const [index, { number }] of network.heads().entries()) {
          // A block in flight counts as well.
          expect(number - (before[index]?.number ?? 0n)).toBeLessThanOrEqual(3n);
        }
        network.network.heal();
        const stopped = highest(network);
        await network.until(() => lowest(network) > stopped + 3n, 120_000);
      }

      expectOneBlockPerParent(network);
    },
  );
});

describe("six signers", { timeout: LIMIT_MS }, () => {
  it.each([
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
    [
      [0, 2, 4],
      [1, 3, 5],
    ],
    [
      [1, 2, 5],
      [0, 3, 4],
    ],
  ])(
    "split into %j and %j produce three blocks each, and one half switches over",
    async (left, right) => {
      await using network = await CliqueNetwork.start({ signers: 6 });
      const [one = 0, other = 0] = [left[0], right[0]];
      network.network.partition(
        left.map((index) => network.name(index)),
        right.map((index) => network.name(index)),
      );
      await network.run(60_000);
      const heads = [network.head(one), network.head(other)];
      const firsts = [one, other].map((index) => network.node(index).node.blocks.findHeader(1n));

      network.network.heal();
      await network.until(() => hashes(network).size === 1, 120_000);
      const healed = network.head(0);
      await network.until(() => lowest(network) >= healed.number + 6n, 120_000);

      expect(heads.map(({ number }) => number)).toEqual([3n, 3n]);
      // The last block of the remaining half may still be replaced by one of a signer in turn.
      const first = network.node(0).node.blocks.findHeader(1n);
      expect(firsts.filter((header) => header?.hash === first?.hash)).toHaveLength(1);
      expectOneBlockPerParent(network);
    },
  );
});

describe("two signers that produce no empty blocks", { timeout: LIMIT_MS }, () => {
  it("do not wait for each other", async () => {
    await using network = await CliqueNetwork.start({
      signers: 2,
      clique: { blockperiodseconds: 1, createemptyblocks: false },
      config: { londonBlock: 0 },
      hasTransactions: true,
      alloc: { [ALICE.address]: { balance: "0x3635c9adc5dea00000" } },
    });
    await network.run(10_000);
    expect(highest(network)).toBe(0n);

    for (let nonce = 0; nonce < 8; nonce++) {
      const raw = hexToBytes(await signTransaction(transfer({ nonce })));
      await network.node(nonce % 2).node.pool.submit(raw);
      // The first block of a process waits for its EVM to load.
      const limitMs = nonce === 0 ? 600_000 : 10_000;
      await network.until(() => lowest(network) > BigInt(nonce), limitMs);
    }

    expect(network.head(0).hash).toBe(network.head(1).hash);
    expect(highest(network)).toBe(8n);
  });
});

const lowest = (network: CliqueNetwork) =>
  network.heads().reduce((least, { number }) => (number < least ? number : least), 1_000_000n);
const highest = (network: CliqueNetwork) =>
  network.heads().reduce((most, { number }) => (number > most ? number : most), 0n);

const hashes = (network: CliqueNetwork) => new Set(network.heads().map(({ hash }) => hash));

const signedBy = (network: CliqueNetwork, address: Address) =>
  [...network.seen.values()].filter((header) => signerOf(header) === address).length;

async function untilAsync(
  network: CliqueNetwork,
  isTrue: () => Promise<boolean>,
  limitMs: number,
): Promise<void> {
  const end = network.clock.now() + limitMs;
  while (!(await isTrue())) {
    if (network.clock.now() > end) throw new Error(`it does not hold after ${limitMs} ms`);
    await network.run(100);
  }
}

/** No signer signed two blocks on one parent. */
function expectOneBlockPerParent(network: CliqueNetwork): void {
  const byPlace = new Map<string, SealedHeader[]>();
  for (const header of network.seen.values()) {
    const place = `${signerOf(header)} on ${header.parentHash}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), header]);
  }
  expect([...byPlace.values()].filter((headers) => headers.length > 1)).toEqual([]);
}
