import type { HeadChanged, RpcClient } from "@plinth/core";
import { FakeClock } from "@plinth/core/testing";
import { toBase64 } from "@plinth/kit-enclave";
import { expect, it } from "vitest";
import { GroupWatch } from "./group-watch.js";
import { privateFilter } from "./params.js";

const GROUP = toBase64(new Uint8Array(32).fill(9));
const MARKER = `0x${"bb".repeat(32)}` as const;
const LOG = { address: `0x${"aa".repeat(20)}`, topics: [], data: new Uint8Array() } as const;

it("a log of a block that left the chain is taken back once, also where others ask for the group", () => {
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
