import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Numbered, SenderQueue } from "./sender-queue.js";

let made = 0;

function aTransaction(nonce: number, sizeBytes = 100): Numbered {
  made += 1;
  return { hash: `0x${made.toString(16).padStart(64, "0")}`, nonce: BigInt(nonce), sizeBytes };
}

function aQueue(accountNonce: number, ...nonces: readonly number[]): SenderQueue<Numbered> {
  const queue = new SenderQueue<Numbered>(BigInt(accountNonce));
  for (const nonce of nonces) queue.put(aTransaction(nonce));
  return queue;
}

const noncesOf = (transactions: Iterable<Numbered>) =>
  Array.from(transactions, ({ nonce }) => Number(nonce));

describe("a sender's transactions", () => {
  it("are executable up to the first missing nonce, and wait after a gap", () => {
    const queue = aQueue(5, 7, 5, 6, 9);

    expect(noncesOf(queue.ready())).toEqual([5, 6, 7]);
    expect(queue.nextNonce).toBe(8n);
    expect(queue.isReady(7n)).toBe(true);
    expect(queue.isReady(9n)).toBe(false);
    expect(queue.futureBytes).toBe(100);
  });

  it("are empty if the first is missing", () => {
    const queue = aQueue(5, 6);

    expect(noncesOf(queue.ready())).toEqual([]);
    expect(queue.lastReady).toBeUndefined();
    expect(queue.nextNonce).toBe(5n);
  });

  it("become executable when the missing one arrives", () => {
    const queue = aQueue(5, 6, 7);

    queue.put(aTransaction(5));

    expect(noncesOf(queue.ready())).toEqual([5, 6, 7]);
    expect(queue.futureBytes).toBe(0);
  });

  it("leave once their nonce is used", () => {
    const queue = aQueue(1, 1, 2, 4);

    expect(noncesOf(queue.follow(3n))).toEqual([1, 2]);
    expect(noncesOf(queue.all())).toEqual([4]);
    expect(queue.nextNonce).toBe(3n);
  });

  it("also leave when the account jumps far ahead", () => {
    const queue = aQueue(1, 1, 2, 4);

    expect(noncesOf(queue.follow(2n ** 60n)).sort()).toEqual([1, 2, 4]);
    expect(queue.size).toBe(0);
    expect(queue.sizeBytes).toBe(0);
  });

  it("wait again when the account goes back, until the earlier ones arrive", () => {
    const queue = aQueue(5, 5, 6);

    expect(queue.follow(3n)).toEqual([]);
    expect(noncesOf(queue.ready())).toEqual([]);
    queue.put(aTransaction(3));
    queue.put(aTransaction(4));

    expect(noncesOf(queue.ready())).toEqual([3, 4, 5, 6]);
  });

  it("leave by hash, not by nonce alone", () => {
    const [first, second] = [aTransaction(1), aTransaction(1)];
    const queue = aQueue(1);
    queue.put(first);

    expect(queue.remove(second)).toBe(false);
    expect(queue.remove(first)).toBe(true);
    expect(queue.size).toBe(0);
  });

  it("have correct counts after any additions, removals and nonce changes", () => {
    const step = fc.record({
      kind: fc.constantFrom("put", "remove", "follow"),
      nonce: fc.integer({ min: 0, max: 12 }),
      size: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const queue = aQueue(0);
        for (const { kind, nonce, size } of steps) {
          const found = queue.find(BigInt(nonce));
          if (kind === "follow") queue.follow(BigInt(nonce));
          else if (kind === "put" && BigInt(nonce) >= queue.accountNonce)
            queue.put(aTransaction(nonce, size));
          else if (found !== undefined) queue.remove(found);
        }
        const all = queue.all();
        const ready = [...queue.ready()];
        const bytes = (list: readonly Numbered[]) =>
          list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        let next = queue.accountNonce;
        while (all.some(({ nonce }) => nonce === next)) next++;
        expect(queue.nextNonce).toBe(next);
        expect(ready).toEqual(all.filter(({ nonce }) => nonce < next));
        expect(queue.readyCount).toBe(ready.length);
        expect(queue.lastReady).toBe(ready.at(-1));
        expect(queue.sizeBytes).toBe(bytes(all));
        expect(queue.futureBytes).toBe(bytes(all) - bytes(ready));
      }),
    );
  });
});
