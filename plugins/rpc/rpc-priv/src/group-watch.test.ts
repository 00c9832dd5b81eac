import type { HeadChanged, RpcClient } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { encodeRemoval, PARTICIPANT_REMOVED, PROXY_ADDRESS } from "@plinth/plugin-privacy/api";
import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import { GroupWatch } from "./group-watch.js";
import { privateFilter } from "./params.js";

const GROUP = toBase64(new Uint8Array(32).fill(9));
const MARKER = `0x${"bb".repeat(32)}` as const;
const LOG = { address: `0x${"aa".repeat(20)}`, topics: [], data: new Uint8Array() } as const;

it("a log of a reverted block is removed once, even if others query the group", () => {
  const watch = new GroupWatch();
  const clock = new FakeClock(0);
  const query = privateFilter.decode({});
  const client = { closed: new AbortController().signal } as RpcClient;
  const id = watch.filters.add(GROUP, query, clock);
  watch.subscriptions.add(GROUP, query, client);
  const store = {
    findGroupBlock: () => ({ markers: [MARKER] }),
    findReceipt: () => ({ logs: [LOG] }),
  };
  const runtime = { privacy: { node: { store } }, chain: { blocks: { findBlock: () => {} } } };
  const header = { number: 7n, hash: MARKER };

  watch.headChanged(
    { removed: [{ header }], added: [] } as unknown as HeadChanged,
    runtime as never,
  );

  const filter = watch.filters.find(id, GROUP, clock) ?? expect.fail();
  expect(watch.filters.take(filter)).toMatchObject([{ log: LOG, isRemoved: true }]);
});

it("ends for a member that is removed from its flexible group, and for no other", () => {
  const watch = new GroupWatch();
  const clock = new FakeClock(0);
  const query = privateFilter.decode({});
  const [removed, other] = [1, 2].map((byte) => toBase64(new Uint8Array(32).fill(byte)));
  const notified: unknown[] = [];
  const client = {
    closed: new AbortController().signal,
    notify: (_: string, { subscription }: { subscription: string }) => notified.push(subscription),
  } as unknown as RpcClient;
  const ids = [removed, other].map((key) => {
    const { id, begin } = watch.subscriptions.add(GROUP, query, client, key);
    begin();
    return { filter: watch.filters.add(GROUP, query, clock, key), subscription: id };
  });
  const data = encodeRemoval(new Uint8Array(32).fill(1)).slice(4);
  const log = { address: PROXY_ADDRESS, topics: [PARTICIPANT_REMOVED], data };
  const receipt = { status: 1, logs: [log] };
  const header = { number: 7n, hash: MARKER };
  let executed: (event: object) => void = () => {};
  const executor = {
    onExecuted: (listener: typeof executed) => {
      executed = listener;
      return () => {};
    },
  };
  const store = { findGroupBlock: () => ({ markers: [MARKER] }), findReceipt: () => receipt };
  watch.open({
    privacy: { node: { store, executor } },
    chain: { blocks: { findHeader: () => header, findBlock: () => {} } },
    compatibility: { mode: "besu" },
    clock,
    signal: client.closed,
    tasks: { run: () => {} },
  } as never);
  const event = {
    group: new Uint8Array(32).fill(9),
    header,
    transactions: [{ marker: MARKER, index: 0, receipt }],
  };

  executed(event);
  executed(event);

  const [first, second] = ids;
  expect(watch.filters.find(first?.filter ?? "", GROUP, clock)).toBeUndefined();
  expect(watch.filters.find(second?.filter ?? "", GROUP, clock)).toBeDefined();
  // It receives the removal itself as the last one.
  expect(notified).toEqual([first, second, second].map((id) => id?.subscription));
});
