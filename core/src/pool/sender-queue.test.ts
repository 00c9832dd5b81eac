import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Priced, SenderQueue } from "./sender-queue.js";

let made = 0;

function aTransaction(nonce: number, price = 100, tip = price): Priced {
  made += 1;
  return {
    hash: `0x${made.toString(16).padStart(64, "0")}`,
    nonce: BigInt(nonce),
    maxFeePerGas: BigInt(price),
    maxPriorityFeePerGas: BigInt(tip),
  };
}

function aQueue(...transactions: readonly Priced[]): SenderQueue<Priced> {
  const queue = new SenderQueue<Priced>(10);
  for (const transaction of transactions) queue.offer(transaction);
  return queue;
}

const noncesOf = (transactions: readonly Priced[]) =>
  transactions.map(({ nonce }) => Number(nonce));

describe("a sender's transactions", () => {
  it("are ready as far as no nonce is missing, and wait after a gap", () => {
    const queue = aQueue(aTransaction(7), aTransaction(5), aTransaction(6), aTransaction(9));

    expect(noncesOf(queue.ready(5n))).toEqual([5, 6, 7]);
    expect(noncesOf(queue.waiting(5n))).toEqual([9]);
    expect(queue.nextNonce(5n)).toBe(8n);
  });

  it("are none when the first is missing", () => {
    const queue = aQueue(aTransaction(6));

    expect(queue.ready(5n)).toEqual([]);
    expect(noncesOf(queue.waiting(5n))).toEqual([6]);
    expect(queue.nextNonce(5n)).toBe(5n);
  });

  it("are known by their hash", () => {
    const transaction = aTransaction(1);

    expect(aQueue(transaction).offer(transaction)).toEqual({ kind: "known" });
  });

  it.each([
    ["exactly the bump", 110, 110, "replaced"],
    ["more than the bump", 200, 200, "replaced"],
    ["one wei less than the bump", 109, 110, "underpriced"],
    ["a tip that did not rise", 200, 100, "underpriced"],
    ["a fee that did not rise", 100, 200, "underpriced"],
  ])("give way to one that pays %s", (_, price, tip, kind) => {
    const old = aTransaction(1, 100);
    const queue = aQueue(old);
    const better = aTransaction(1, price, tip);

    expect(queue.offer(better)).toEqual({ kind, old });
    expect(queue.all()).toEqual([kind === "replaced" ? better : old]);
  });

  it("give way at the same price when no bump is asked for", () => {
    const queue = new SenderQueue<Priced>(0);
    queue.offer(aTransaction(1, 0));

    expect(queue.offer(aTransaction(1, 0)).kind).toBe("replaced");
  });

  it("leave once the chain has passed them", () => {
    const queue = aQueue(aTransaction(1), aTransaction(2), aTransaction(4));

    expect(noncesOf(queue.removeBelow(3n))).toEqual([1, 2]);
    expect(noncesOf(queue.all())).toEqual([4]);
  });

  it("leave by hash, not by nonce alone", () => {
    const [first, second] = [aTransaction(1), aTransaction(1)];
    const queue = aQueue(first);

    expect(queue.remove(second)).toBe(false);
    expect(queue.remove(first)).toBe(true);
    expect(queue.size).toBe(0);
  });

  it("are each either ready or waiting, whatever was offered and removed", () => {
    const steps = fc.array(
      fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 9 })),
    );
    fc.assert(
      fc.property(steps, (list) => {
        const queue = aQueue();
        for (const [isOffer, nonce, price] of list) {
          const found = queue.all().find((transaction) => transaction.nonce === BigInt(nonce));
          if (isOffer) queue.offer(aTransaction(nonce, price));
          else if (found !== undefined) queue.remove(found);
        }
        const nonces = noncesOf([...queue.ready(0n), ...queue.waiting(0n)]);
        expect(nonces).toEqual(noncesOf(queue.all()));
      }),
    );
  });
});
