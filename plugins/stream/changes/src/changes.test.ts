import { setImmediate } from "node:timers/promises";
import { definePlugin, encodeBlock, optional, type SealedHeader } from "@plinth/core";
import { decodeBlock, receiptsRoot } from "@plinth/core/blocks";
import { createTestNode, recordLogs, transfer } from "@plinth/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import plugin from "./index.js";
import type { ChangeRecord } from "./records/change-record.js";
import { RecordChain } from "./records/record-chain.js";
import { registerChanges } from "./register.js";
import { type ChangeStream, changeStream } from "./service.js";

const RUNS = Number(process.env.PLINTH_CHANGES_SCHEDULES ?? 10);

describe("--changes-enabled", () => {
  it("is off by default", async () => {
    await using node = await createTestNode({ plugins: [plugin] });

    await expect(node.rpc("plinth_describeChanges")).rejects.toMatchObject({
      code: -32604,
      message: "Method not enabled: --changes-enabled is not set",
    });
  });

  it("begins a stream after the head, and logs it", async () => {
    await using test = await start({ changesEnabled: false });
    await test.node.mine([], []);

    await test.restart({ changesEnabled: true });

    const { id } = test.stream().descriptor;
    const { number, hash } = test.head();
    expect(test.stream().descriptor).toEqual({
      ...{ id, number, hash },
      ...{ firstSequence: 1n, firstBlock: undefined, lastSequence: 0n, lastHash: id },
    });
    expect(number).toBe(2n);
    expect(test.lines()).toEqual([`The stream of changes ${id} begins after block 2.`]);
  });

  it("adds a record for each block, and describes them", async () => {
    await using test = await start();
    await test.node.mine([transfer()], []);

    const [first, second] = test.records();
    expect([first, second].map((record) => [record?.kind, record?.number])).toEqual([
      ["added", 1n],
      ["added", 2n],
    ]);
    expect(first?.previous).toBe(test.stream().descriptor.id);
    expect(await test.node.rpc("plinth_describeChanges")).toMatchObject({
      number: "0x0",
      firstSequence: "0x1",
      firstBlock: "0x1",
      lastSequence: "0x2",
      lastHash: second?.hash,
    });
    test.verify();
  });

  it("adds the blocks that a reorganization removes first, the old head first", async () => {
    await using test = await start();
    const mined = await test.node.mine([transfer()], [transfer()], []);
    const branch = await test.node.reorganize(2);

    expect(test.records().slice(3).map(summaryOf)).toEqual([
      ["removed", mined[2]?.hash],
      ["removed", mined[1]?.hash],
      ...branch.map(({ hash }) => ["added", hash]),
    ]);
    test.verify();
  });

  it("follows a head that is set back and forth", async () => {
    await using test = await start();
    const mined = await test.node.mine([transfer()], [], []);
    const hashes = mined.map(({ hash }) => hash);

    await test.setHead(1n);
    await test.node.node.blocks.setHead(String(hashes[2]) as `0x${string}`);

    expect(test.records().slice(3).map(summaryOf)).toEqual([
      ["removed", hashes[2]],
      ["removed", hashes[1]],
      ["added", hashes[1]],
      ["added", hashes[2]],
    ]);
    test.verify();
  });

  it("adds nothing of a change that is not written", async () => {
    await using test = await start();
    await test.node.mine([]);
    test.failNextCommit();

    await expect(test.node.mine([])).rejects.toThrow("not this one");
    await test.node.mine([transfer()]);

    expect(test.records().map(({ number }) => number)).toEqual([1n, 2n]);
    test.verify();
  });
});

describe("a stream of changes", () => {
  it("continues after a restart", async () => {
    await using test = await start();
    await test.node.mine([], []);
    await test.setHead(1n);
    const before = test.records();

    await test.restart();
    await test.node.mine([]);

    expect(test.records().slice(0, -1)).toEqual(before);
    const { id } = test.stream().descriptor;
    expect(test.lines()).toEqual([
      `The stream of changes ${id} begins after block 0.`,
      expect.stringContaining(`The stream of changes ${id} continues at `),
    ]);
    test.verify();
  });

  it("is another one if the chain was changed while it was off", async () => {
    await using test = await start();
    await test.node.mine([], []);
    const { id, lastHash } = test.stream().descriptor;
    await test.restart({ changesEnabled: false });
    await test.node.mine([]);

    await test.restart({ changesEnabled: true });
    await test.node.mine([]);

    const { descriptor } = test.stream();
    expect(descriptor).toMatchObject({ number: 3n, firstSequence: 1n, lastSequence: 1n });
    expect(descriptor.id).not.toBe(id);
    expect(() => test.stream().verify({ sequence: 2n, previous: lastHash })).toThrow(
      `the record 2 follows ${descriptor.lastHash}, not ${lastHash}: the stream ${descriptor.id} has the records 1 to 1; it is another stream than the reader's, or has lost records`,
    );
    expect(test.lines().at(-1)).toBe(
      `the chain was changed while the stream of changes was off: the stream ${descriptor.id} begins after block 3; readers of the earlier one must begin again`,
    );
    test.verify();
  });

  it("continues if the chain is as it was when it was turned off", async () => {
    await using test = await start();
    await test.node.mine([], []);
    const { id } = test.stream().descriptor;
    await test.restart({ changesEnabled: false });

    await test.restart({ changesEnabled: true });
    await test.node.mine([]);

    expect(test.stream().descriptor).toMatchObject({ id, lastSequence: 3n });
    test.verify();
  });

  it("keeps as many records as the operator wants", async () => {
    await using test = await start({ changesRetained: 3 });
    await test.node.mine([], [], [], [], []);

    expect(test.stream().descriptor).toMatchObject({
      ...{ firstSequence: 3n, firstBlock: 3n, lastSequence: 5n },
    });
    expect(() => test.stream().find(2n)).toThrow(
      `the record 2 is no longer kept: the stream ${test.stream().descriptor.id} has the records 3 to 5; --changes-retained limits their number`,
    );
    expect(await test.countEntries()).toBe(4);
  });

  it("removes old records a few at a time after the option was lowered", async () => {
    await using test = await start();
    await test.node.mine(...Array.from({ length: 80 }, () => []));

    await test.restart({ changesRetained: 2 });
    await test.node.mine([]);
    const after = test.stream().descriptor.firstSequence;
    await test.node.mine([]);

    expect(after).toBe(66n);
    expect(test.stream().descriptor.firstSequence).toBe(81n);
    expect(await test.countEntries()).toBe(3);
  });

  it("keeps the last records of a change that has more than are kept", async () => {
    await using test = await start({ changesRetained: 2 });
    await test.node.mine([], [], [], [], [], []);
    await test.setHead(1n);
    await test.restart();
    await test.node.mine([]);

    expect(test.stream().descriptor).toMatchObject({ firstSequence: 11n, lastSequence: 12n });
    expect(test.stream().find(12n)?.number).toBe(2n);
    expect(await test.countEntries()).toBe(3);
  });

  it("names the records that it has to a reader that is ahead of it", async () => {
    await using test = await start();
    const { id } = test.stream().descriptor;
    const verify = (sequence: bigint) => test.stream().verify({ sequence, previous: undefined });

    expect(() => verify(2n)).toThrow(
      `the record 2 does not exist yet: the stream ${id} has no records, from 1 on, and the next one is 1`,
    );
    await test.node.mine([]);
    verify(2n);
    expect(() => verify(3n)).toThrow(
      `the record 3 does not exist yet: the stream ${id} has the records 1 to 1, and the next one is 2`,
    );
    expect(() => verify(0n)).toThrow("the record 0 is no longer kept");
  });

  it("is begun again by a repair of the database, which leaves it out", async () => {
    const node = await createTestNode({ plugins: [plugin] });
    await node.stop();

    // A table that is not derived would be copied without its damaged records.
    expect((await node.node.storedChain()).derivedTables).toContain("changes.records");
  });

  it(`has every change of random schedules, ${RUNS} times`, async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ mine: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 3, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 6 }) }) },
      { weight: 2, arbitrary: fc.record({ forth: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ branch: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ isEnabled: fc.boolean() }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using test = await start({ changesRetained: 1000 });
        const heads: SealedHeader[] = [test.head()];
        for (const each of steps) {
          await test.run(each, heads);
          heads.push(test.head());
          if (test.isEnabled()) test.verify();
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the service", () => {
  it("loads the block of a record, its receipts and what it changed", async () => {
    await using test = await start();
    await test.node.mine([transfer()]);
    const [record] = test.records();

    const { added } = await test.stream().load(record as ChangeRecord, { state: true });

    const { header } = decodeBlock(encodeBlock(added?.block as never));
    expect(receiptsRoot(added?.receipts ?? [])).toBe(header.receiptsRoot);
    // Sender, recipient and fee recipient.
    expect(added?.state).toHaveLength(3);
    expect((await test.stream().load(record as ChangeRecord)).added?.state).toBeUndefined();
  });

  it("loads nothing for a block that left the chain", async () => {
    await using test = await start();
    await test.node.mine([]);
    await test.setHead(0n);
    const record = test.records()[1] as ChangeRecord;

    expect(await test.stream().load(record, { state: true })).toEqual({ record });
  });

  it("follows the stream until the reader leaves", async () => {
    await using test = await start();
    await test.node.mine([], []);
    const leaving = new AbortController();
    const received: bigint[] = [];
    const reading = (async () => {
      for await (const { sequence } of test.stream().follow({ sequence: 2n }, leaving.signal)) {
        received.push(sequence);
        if (sequence === 4n) leaving.abort();
      }
    })();

    await test.node.mine([]);
    await test.setHead(2n);
    await test.node.mine([]);
    await reading;

    expect(received).toEqual([2n, 3n, 4n]);
  });

  it("does not wait longer than it may", async () => {
    await using test = await start();
    const { signal } = new AbortController();

    expect(await test.stream().wait(1n, { timeoutMs: 1, signal })).toBe(false);
    const waiting = test.stream().wait(1n, { signal });
    await test.node.mine([]);
    expect(await waiting).toBe(true);
  });
});

type Step =
  | { readonly mine: number }
  | { readonly back: number }
  | { readonly forth: number }
  | { readonly branch: number }
  | { readonly isEnabled: boolean };

function summaryOf({ kind, blockHash }: ChangeRecord) {
  return [kind, blockHash];
}

/** A node with the stream, whose options change with a restart. */
async function start(given: { changesEnabled?: boolean; changesRetained?: number } = {}) {
  let settings = { changesEnabled: true, changesRetained: 100, ...given };
  let found: ChangeStream | undefined;
  let isFailing = false;
  let countEntries = async () => 0;
  const logs = recordLogs();
  const wrapped = definePlugin({
    name: "changes",
    provides: [changeStream],
    setup(node) {
      registerChanges(
        {
          ...node,
          storage: {
            ...node.storage,
            table(...of) {
              const table = node.storage.table(...of);
              countEntries = async () => {
                let count = 0;
                for await (const _ of table.iterate()) count += 1;
                return count;
              };
              return table;
            },
          },
        },
        settings,
      );
    },
  });
  const user = definePlugin({
    name: "user",
    dependencies: { stream: optional(changeStream) },
    setup({ onStart, hooks }) {
      onStart((runtime) => {
        found = runtime.stream;
      });
      hooks.chain.commit.tap(() => {
        if (!isFailing) return;
        isFailing = false;
        throw new Error("not this one");
      });
    },
  });
  const node = await createTestNode({
    plugins: [wrapped, user],
    logs,
    options: { devPeriodSeconds: 3600 },
  });
  const stream = () => {
    if (found === undefined) throw new Error("there is no stream");
    return found;
  };
  const head = () => node.node.blocks.head();
  const records = () => readRecords(stream());
  const restart = async (changed: typeof given = {}) => {
    settings = { ...settings, ...changed };
    found = undefined;
    await node.restart();
  };
  const setHead = async (number: bigint) => {
    const header = node.node.blocks.findHeader(number) as SealedHeader;
    await node.node.blocks.setHead(header.hash);
  };
  return {
    ...{ node, stream, head, records, restart, setHead },
    countEntries: () => countEntries(),
    isEnabled: () => found !== undefined,
    failNextCommit() {
      isFailing = true;
    },
    lines: () =>
      logs.entries.filter(({ logger }) => logger === "changes").map(({ message }) => message),
    /** The records lead from the start of the stream to the head, one by one. */
    verify() {
      const { id, hash, firstSequence } = stream().descriptor;
      expect(firstSequence).toBe(1n);
      const chain = new RecordChain({ sequence: 0n, hash: id });
      let end = hash;
      for (const record of records()) {
        chain.add(record);
        const header = node.node.blocks.findHeader(record.blockHash) as SealedHeader;
        const [before, after] =
          record.kind === "added"
            ? [header.parentHash, header.hash]
            : [header.hash, header.parentHash];
        expect(before).toBe(end);
        end = after;
      }
      expect(end).toBe(head().hash);
    },
    async run(step: Step, heads: readonly SealedHeader[]) {
      const number = Number(head().number);
      if ("mine" in step) await node.mine(...Array.from({ length: step.mine }, () => []));
      else if ("back" in step) await setHead(BigInt(Math.max(0, number - step.back)));
      else if ("forth" in step) {
        const { hash } = heads[step.forth % heads.length] as SealedHeader;
        await node.node.blocks.setHead(hash);
      } else if ("branch" in step) {
        if (number >= step.branch) await node.reorganize(step.branch);
      } else await restart({ changesEnabled: step.isEnabled });
      await setImmediate();
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

function readRecords(stream: ChangeStream): readonly ChangeRecord[] {
  const { firstSequence, lastSequence } = stream.descriptor;
  const length = Number(lastSequence - firstSequence + 1n);
  return Array.from(
    { length },
    (_, index) => stream.find(firstSequence + BigInt(index)) as ChangeRecord,
  );
}
