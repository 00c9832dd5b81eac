import type { KeyValueStore, Plugin, Rlp, SealedHeader } from "@plinth/core";
import type { HeaderRequest } from "@plinth/plugin-protocol-eth/api";
import { beforeAll, describe, expect, it } from "vitest";
import type { TestSigner } from "../support/clique-chain.js";
import { lyingEth, type ShownChain } from "../support/lying-peer.js";
import { sealedHeaderOn } from "../support/sealed-headers.js";
import {
  alteredSnap,
  COUNT,
  createDisk,
  createWorld as createWorldOf,
  fillDisk,
  LATER,
  makeSnapChain,
  PIVOT,
  type SnapChain,
  watch,
} from "../support/snap-world.js";
import { OWN } from "../support/snapshot-chain.js";

const ACCOUNTS = 1;

let chain: SnapChain;
let served: KeyValueStore;
let genesisHeader: SealedHeader;

beforeAll(async () => {
  chain = await makeSnapChain();
  served = await fillDisk(chain, COUNT);
  await using node = await createWorld().startPeer("reader");
  genesisHeader = node.node.blocks.findHeader(0n) as SealedHeader;
});

function createWorld() {
  return createWorldOf(chain, served);
}

/** The chain of a liar that lists the validator, without its seals. */
function forge(count: number): readonly SealedHeader[] {
  const listed: readonly TestSigner[] = [{ address: OWN, key: new Uint8Array() }];
  const headers = [genesisHeader];
  for (let number = 1; number <= count; number++) {
    headers.push(
      sealedHeaderOn(headers.at(-1) as SealedHeader, {
        ...{ listed, sealers: [], producer: listed[0] as TestSigner },
        change: { baseFeePerGas: 0n },
      }),
    );
  }
  return headers;
}

function liar(headers: readonly SealedHeader[], respond?: ShownChain["respond"]): Plugin {
  return lyingEth({ genesis: chain.genesis, headers, ...(respond && { respond }) });
}

const isByHash = ({ start }: HeaderRequest) => typeof start !== "bigint";

describe("a node that joins by its peers joins their chain although one", () => {
  it("names a block and leaves", async () => {
    const world = createWorld();
    const eth = liar(forge(100), (request, found) => (isByHash(request) ? undefined : found));
    const lying = await world.startPeer("liar", { eth });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.untilLine("Joining the chain at block 84");
    await lying.stop();
    await using _honest = await world.startPeer("honest");

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    await joiner.stop();
  });

  it.each<[string, ShownChain["respond"], string]>([
    [
      "names a block and is mute from then on",
      (request, found) => (isByHash(request) ? undefined : found),
      "",
    ],
    [
      "does not name the block below its head",
      (request, found) => (isByHash(request) ? found : undefined),
      "",
    ],
    [
      "names a block that it does not have",
      (request, found) => (isByHash(request) ? [] : found),
      "it named a block, but no peer has",
    ],
    ["has headers that prove nothing", (_, found) => found, "its chain is not proven"],
  ])("%s", async (_, respond, line) => {
    const world = createWorld();
    await using _lying = await world.startPeer("liar", { eth: liar(forge(100), respond) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.untilLine("Joining the chain by peers");
    await world.clock.advance(1000);
    await using _honest = await world.startPeer("honest");

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    expect(world.lines().join("\n")).toContain(line);
    await joiner.stop();
  });

  it("sends headers of a block that it invents one by one", async () => {
    const world = createWorld();
    const eth = liar(forge(600), async (request, found) => {
      if (!isByHash(request)) return found;
      await world.clock.sleep(4_000);
      return found.slice(0, 1);
    });
    await using _lying = await world.startPeer("liar", { eth });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.untilLine("Joining the chain at block 584");
    await using _honest = await world.startPeer("honest");
    const begun = world.clock.now();

    await world.until(() => started.isOver || world.clock.now() > begun + 300_000);

    expect(started.isOver).toBe(true);
    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    await joiner.stop();
  });

  it("has many headers without seals, of which few are accepted", async () => {
    const world = createWorld();
    await using _lying = await world.startPeer("liar", { eth: liar(forge(1_600)) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.untilLine("Joining the chain at block 1584");
    await using _honest = await world.startPeer("honest");

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    expect(world.lines().join("\n")).toMatch(/its chain is not proven: block 512/);
    await joiner.stop();
  });
});

describe("a node that joins by its peers", () => {
  it("does not count blocks that liars invent", async () => {
    const world = createWorld();
    const peers = [await world.startPeer("honest")];
    for (let number = 1; number <= 12; number++) {
      const headers = forge(100 + number);
      const eth = liar(headers, (request, found) => (isByHash(request) ? [] : found));
      peers.push(await world.startPeer(`liar ${number}`, { eth }));
    }
    const joiner = await world.createJoiner(await createDisk(), { syncMinPeers: 13 });
    const started = watch(joiner.start());

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    expect(world.lines().filter((line) => line.includes("Joining the chain at"))).toHaveLength(13);
    await joiner.stop();
    for (const peer of peers) await peer.stop();
  });

  it("gives up a state that all peers lack but a mute one", async () => {
    const world = createWorld();
    const oldRoot = Buffer.from(
      chain.blocks[Number(PIVOT) - 1]?.header.stateRoot.slice(2) ?? "",
      "hex",
    );
    // A state that does not exist instead of that of the first block.
    const lacking = alteredSnap(
      (_, response) => response,
      (_, request) =>
        request.map((item: Rlp) =>
          item instanceof Uint8Array && Buffer.compare(item, oldRoot) === 0
            ? new Uint8Array(32)
            : item,
        ),
    );
    const mute = alteredSnap((code, response) => (code === ACCOUNTS ? undefined : response));
    await using _mute = await world.startPeer("mute", {
      snap: mute,
      disk: await fillDisk(chain, COUNT),
    });
    await using peer = await world.startPeer("peer", {
      snap: lacking,
      disk: await fillDisk(chain, COUNT),
    });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.untilLine("Joining the chain at");
    for (const block of chain.blocks.slice(-LATER)) {
      await peer.node.blocks.import(block, { origin: "peer" });
    }

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBeGreaterThan(PIVOT);
    await joiner.stop();
  });

  it.each<[string, number, number]>([
    ["few blocks", 3, 0],
    ["the old blocks of a longer chain", 17, 7_200_000],
  ])("waits a while for others if the first one has %s", async (_, count, ageMs) => {
    const world = createWorld();
    await world.clock.advance(ageMs);
    await using _short = await world.startPeer("short", { disk: await fillDisk(chain, count) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.clock.advance(10_000);
    expect(started.isOver).toBe(false);
    await using _honest = await world.startPeer("honest");

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    await joiner.stop();
  });
});
