import { silentLogs } from "@plinth/core/kernel";
import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import type { PendingEntry } from "../store/private-store.js";
import { PrivateExecutor } from "./executor.js";

const LEFT = 200_000;
/** Many times the expected duration; comparing every entry with all others would take minutes. */
const TIMEOUT_MS = 20_000;

it(`resumes ${LEFT} pending private transactions of one group`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const hash = `0x${"00".repeat(32)}` as const;
  const place = { group: new Uint8Array(32), number: 1n, blockHash: hash };
  const store = {
    findCursor: () => ({ number: 1n, hash }),
    findRerun: () => undefined,
    async *pending(): AsyncGenerator<PendingEntry> {
      for (let index = 0; index < LEFT; index += 1) {
        yield { ...place, index, key: new Uint8Array() };
      }
    },
    // Nothing is executed before the test is over.
    rootAt: () => new Promise(() => {}),
  };
  const genesis = { number: 0n, hash };
  const blocks = { head: () => genesis, findHeader: (number: bigint) => ({ number, hash }) };
  const { signal } = new AbortController();
  const executor = new PrivateExecutor({
    runtime: { chain: { blocks }, clock: new FakeClock(0), signal, tasks: { run() {} } },
    log: silentLogs.for("privacy"),
    store,
    enclave: () => ({ name: "none" }),
    rules: {},
  } as never);

  await executor.start();

  expect(executor.status().groups).toMatchObject([{ pending: LEFT }]);
});

it("lets a send wait for older blocks that are executing, and a read only briefly", async () => {
  const hash = `0x${"00".repeat(32)}` as const;
  const headerOf = (number: bigint) => ({ number, hash });
  const blocks = { head: () => headerOf(9n), findHeader: headerOf };
  const clock = new FakeClock(0);
  const { signal } = new AbortController();
  const executor = new PrivateExecutor({
    runtime: { chain: { blocks }, clock, signal, tasks: { run() {} } },
    log: silentLogs.for("privacy"),
    store: {
      findCursor: () => undefined,
      findRerun: () => undefined,
      async *pending() {},
    },
    enclave: () => ({ name: "none" }),
    rules: {},
  } as never);
  await executor.start();
  const ends: string[] = [];
  const wait = (name: string, isPatient: boolean) =>
    executor
      .waitFor(9n, new Uint8Array(32), { signal, isPatient })
      .catch((error) => ends.push(`${name}: ${error.message}`));
  const waits = [wait("read", false), wait("send", true)];
  const behind = "private transactions up to block 9 have not run: execution is in progress";

  await clock.advance(6000);
  expect(ends).toEqual([`read: ${behind}`]);
  await clock.advance(60_000);
  await Promise.all(waits);

  expect(ends).toEqual([`read: ${behind}`, `send: ${behind}`]);
});
