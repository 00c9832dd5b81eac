import { createMemoryStorageDriver, loadCrypto, PluginTable, toHex } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { keccakHash } from "@plinth/core/primitives";
import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import type { ExecutionOrder, ExecutionResult } from "./execution/execute-query.js";
import { PrivateExecutor } from "./execution/executor.js";
import { encodeVersionedTransaction } from "./flexible/versioned-transaction.js";
import { FLEXIBLE_MARKER_ADDRESS, MARKER_ADDRESS } from "./markers/marker.js";
import { PrivateStore, type PrivateTables } from "./store/private-store.js";
import { groupOfParties, signPrivateTransaction } from "./transaction/private-transaction.js";

const MIB = 2 ** 20;
const MARKERS = 40;
/** Memory limit, where all payloads together take 40 MiB. */
const MOST_BYTES = 16 * MIB;
await loadCrypto();
const ALICE = new Uint8Array(32).fill(1);
const GROUP = groupOfParties([ALICE]);

it.each([
  ["of the managers", false],
  ["of contracts", true],
])(
  "a block with many large payloads is fetched and run in parts, in groups %s",
  async (_, isFlexible) => {
    const storage = await createMemoryStorageDriver().open({ folder: "" });
    const table = (name: string) => new PluginTable({ plugin: "privacy", name }, () => storage);
    const pending = table("pending");
    const fetched = { bytes: 0, kept: 0, most: 0 };
    const write = PluginTable.prototype.writeWith;
    const progress = table("progress");
    progress.writeWith = async (changes) => {
      await write.call(progress, changes);
      for (const [into, entries] of changes) {
        if (into !== pending) continue;
        for (const [, value] of entries) fetched.kept += value?.length ?? 0;
      }
    };
    const tables: PrivateTables = {
      state: table("state"),
      receipts: table("receipts"),
      groups: table("groups"),
      pending,
      progress,
      unresolved: table("unresolved"),
      histories: table("histories"),
    };
    const [genesis, header] = [0n, 1n].map((number) => ({ number, hash: hashOf(Number(number)) }));
    const transactions = Array.from({ length: MARKERS }, (_, index) => ({
      hash: hashOf(100 + index),
      to: isFlexible ? FLEXIBLE_MARKER_ADDRESS : MARKER_ADDRESS,
      data: new Uint8Array(32).fill(index),
    }));
    const blocks = {
      head: () => header,
      findHeader: (at: bigint | string) =>
        [genesis, header].find((one) => one?.number === at || one?.hash === at),
      findBlock: () => ({ header, body: { transactions } }),
    };
    const store = new PrivateStore(tables, blocks as never, { isFlexible });
    const orders: ExecutionOrder[] = [];
    const stop = new AbortController();
    const executor = new PrivateExecutor({
      runtime: {
        chain: { blocks },
        clock: new FakeClock(0),
        signal: stop.signal,
        tasks: {
          run(name: string, work: (signal: AbortSignal) => Promise<void>) {
            if (name === "private transactions") work(stop.signal).catch(() => {});
          },
        },
        query: {
          async run(_: unknown, order: ExecutionOrder): Promise<ExecutionResult> {
            orders.push({
              ...order,
              items: order.items.map((item) => ({ ...item, payload: item.payload.slice(0, 0) })),
            });
            ordered.push(order.items.reduce((sum, { payload }) => sum + payload.length, 0));
            return resultOf(order);
          },
        },
      },
      log: silentLogs.for("privacy"),
      store,
      enclave: () => ({
        name: "manager",
        async receive([index = 0]: Uint8Array) {
          const payload = payloadOf(index, isFlexible);
          fetched.bytes += payload.length;
          fetched.most = Math.max(fetched.most, fetched.bytes - fetched.kept);
          return { payload, senderKey: ALICE, privacyGroupId: GROUP };
        },
      }),
      rules: { isFlexible },
      notesAbsent: () => false,
    } as never);
    const ordered: number[] = [];

    await executor.start();
    const { signal } = stop;
    await executor.waitFor(1n, GROUP, { signal, isPatient: true });
    stop.abort();

    expect(fetched.bytes).toBeGreaterThan(MARKERS * MIB);
    expect(fetched.most).toBeLessThan(MOST_BYTES);
    expect(Math.max(...ordered)).toBeLessThan(MOST_BYTES);
    // Each part runs on the state after the previous one.
    expect(orders.flatMap(({ items }) => items.map(({ index }) => index))).toEqual(
      transactions.map((_, index) => index),
    );
    expect(orders.slice(1).map(({ root }) => root)).toEqual(
      orders.slice(0, -1).map((order) => resultOf(order).root),
    );
    const last = orders.at(-1) ?? expect.fail("nothing ran");
    expect(await store.rootAt(GROUP, 1n)).toBe(resultOf(last).root);
    const receipts = transactions.map(({ hash }) => store.findReceipt(hashOf(1), hash)?.output);
    expect(receipts).toEqual(transactions.map((_, index) => Uint8Array.of(index)));
  },
);

function resultOf({ root, items }: ExecutionOrder): ExecutionResult {
  const rootAfter = (count: number) => keccakHash(Buffer.from(`${root} ${count}`));
  const empty = { status: 1, logs: [], group: GROUP } as const;
  return {
    root: rootAfter(items.length),
    receipts: items.map(({ index }) => ({ ...empty, output: Uint8Array.of(index) })),
    roots: items.map((_, at) => rootAfter(at + 1)),
    entries: [],
  };
}

function payloadOf(nonce: number, isFlexible: boolean): Uint8Array {
  const transaction = {
    nonce: BigInt(nonce),
    gasPrice: 0n,
    gasLimit: 1n,
    value: 0n,
    data: new Uint8Array(MIB),
    privateFrom: ALICE,
    restriction: "restricted",
  } as const;
  const parties = isFlexible ? { privacyGroupId: GROUP } : { privateFor: [] };
  const signed = signPrivateTransaction({ ...transaction, ...parties }, new Uint8Array(32).fill(7));
  return isFlexible ? encodeVersionedTransaction(signed, new Uint8Array(32)) : signed;
}

function hashOf(value: number): `0x${string}` {
  return toHex(new Uint8Array(32).fill(value));
}
