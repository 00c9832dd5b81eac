import { createMemoryStorageDriver, type Hash, PluginTable } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { RerunOrder } from "./delivery.js";
import { LateTransactions } from "./late-transactions.js";
import type { UnknownGroup, UnresolvedMarker } from "./unresolved.js";
import { UnresolvedMarkers } from "./unresolved-markers.js";

const HASH: Hash = `0x${"ab".repeat(32)}`;
const HEAD = 5000n;
const SENDER = new Uint8Array(32).fill(1);

describe("a payload that arrives late", () => {
  it("is found, regardless of how many markers without one follow", async () => {
    const late = keyOf(7);
    const { check, orders } = await open({
      markers: [marker(10n, 0, { payloadKey: late }), ...manyMarkers(4000)],
      here: (name) => name === toBase64(late),
    });

    for (let round = 0; round < 10 && orders.length === 0; round++) await check();

    expect(orders).toEqual([{ after: 9n, groups: [] }]);
  });

  it("does not wait for managers that are asked for groups", async () => {
    const late = keyOf(7);
    const { check, orders } = await open({
      markers: [
        marker(10n, 0, { payloadKey: late }),
        marker(11n, 0, { unknownGroup: { id: keyOf(8), senderKey: SENDER } }),
      ],
      here: (name) => name === toBase64(late),
      recover: () => new Promise(() => {}),
    });

    expect(await check()).toBe(true);
    expect(orders).toHaveLength(1);
  });
});

describe("unknown groups", () => {
  it("are requested in rotation, a few at a time", async () => {
    const asked: string[] = [];
    const groups = Array.from({ length: 20 }, (_, index) => keyOf(index));
    const { check, late } = await open({
      markers: groups.map((id, index) =>
        marker(BigInt(20 + index), 0, { unknownGroup: { id, senderKey: SENDER } }),
      ),
      async recover(id) {
        asked.push(toBase64(id));
      },
    });

    await check();
    expect(asked).toHaveLength(4);
    for (let round = 0; round < 4; round++) await check();

    expect(new Set(asked).size).toBe(20);
    expect(late.unknownGroups).toHaveLength(20);
  });
});

it("old markers are pruned, one page at a time", async () => {
  const { check, unresolved } = await open({ markers: manyMarkers(2500), head: 200_000n });
  const counts: number[] = [];

  for (let round = 0; round < 3; round++) {
    await check();
    let count = 0;
    for await (const _ of unresolved.all()) count += 1;
    counts.push(count);
  }

  expect(counts).toEqual([1500, 500, 0]);
});

it("an unknown group is reported, regardless of how many markers follow", async () => {
  const id = keyOf(8);
  const { check, late } = await open({
    markers: [marker(10n, 0, { unknownGroup: { id, senderKey: SENDER } }), ...manyMarkers(4000)],
  });
  const named: number[] = [];

  for (let round = 0; round < 12; round++) {
    await check();
    named.push(late.unknownGroups.length);
  }

  expect(named.slice(named.indexOf(1))).not.toContain(0);
  expect(named).toContain(1);
});

async function open({
  markers,
  here = () => false,
  recover = async () => undefined,
  head = HEAD,
}: {
  readonly markers: readonly UnresolvedMarker[];
  here?(name: string): boolean;
  recover?(id: Uint8Array): Promise<unknown>;
  readonly head?: bigint;
}) {
  const disk = await createMemoryStorageDriver().open({ folder: "" });
  const table = new PluginTable({ plugin: "privacy", name: "unresolved" }, () => disk);
  const blocks = { findHeader: (number: bigint) => ({ number, hash: HASH }) } as never;
  const unresolved = new UnresolvedMarkers(table, blocks);
  await unresolved.update({ kept: markers, forgotten: [] });
  const orders: RerunOrder[] = [];
  const enclave = {
    findHere: async (keys: readonly Uint8Array[]) => keys.map(toBase64).filter(here),
    async retrieveGroup() {
      throw new EnclaveError(404, "not found");
    },
    findGroupEver: async () => undefined,
    recoverGroup: recover,
  };
  const late = new LateTransactions({
    unresolved,
    enclave: () => enclave as never,
    clock: new FakeClock(0),
    log: silentLogs.for("privacy"),
    head: () => head,
    runAgain: async (order) => orders.push(order),
  });
  return { late, orders, unresolved, check: () => late.check() };
}

function manyMarkers(count: number): readonly UnresolvedMarker[] {
  return Array.from({ length: count }, (_, index) =>
    // More of them in a block than fit in a page.
    marker(20n + BigInt(Math.floor(index / 1500)), index % 1500, {}),
  );
}

function marker(
  number: bigint,
  index: number,
  more: { readonly payloadKey?: Uint8Array; readonly unknownGroup?: UnknownGroup },
): UnresolvedMarker {
  const { payloadKey = keyOf(index + 100), ...rest } = more;
  return { number, index, blockHash: HASH, marker: HASH, payloadKey, isLost: false, ...rest };
}

function keyOf(value: number): Uint8Array {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(value);
  return new Uint8Array(key);
}
