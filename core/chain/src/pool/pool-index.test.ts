import type { Address } from "@plinth/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PoolIndex, type PoolLimits } from "./pool-index.js";
import type { PooledTransaction } from "./pooled-transaction.js";

const [ANN, BOB, CYD] = [1, 2, 3].map(anAddress) as [Address, Address, Address];

interface Wanted {
  readonly from?: Address;
  readonly nonce?: number;
  /** Maximum price per gas. */
  readonly fee?: number;
  /** Without one it is a legacy transaction, whose fee is its gas price. */
  readonly tip?: number;
  readonly type?: number;
  readonly sizeBytes?: number;
  readonly hasPriority?: boolean;
}

let made = 0;

/** A transfer, limited to the fields that the pool reads. */
function aTransaction(wanted: Wanted = {}): PooledTransaction {
  const { from = ANN, nonce = 0, fee = 100, tip, type = tip === undefined ? 0 : 2 } = wanted;
  made += 1;
  const transaction = { type } as PooledTransaction["transaction"];
  return {
    transaction,
    hash: `0x${made.toString(16).padStart(64, "0")}`,
    sender: from,
    nonce: BigInt(nonce),
    maxFeePerGas: BigInt(fee),
    maxPriorityFeePerGas: BigInt(tip ?? fee),
    origin: "remote",
    hasPriority: wanted.hasPriority ?? false,
    addedAt: 0,
    order: made,
    sizeBytes: wanted.sizeBytes ?? 100,
    networkForm: new Uint8Array(),
  };
}

function anAddress(index: number): Address {
  return `0x${index.toString(16).padStart(40, "0")}`;
}

const LIMITS: PoolLimits = {
  maxTransactions: 20_000,
  maxBytes: Number.POSITIVE_INFINITY,
  maxFutureBytes: Number.POSITIVE_INFINITY,
  maxNonceGap: 20_000,
  bumps: { gas: 10, blobGas: 100 },
  first: "best-paid",
  maxCandidates: Number.POSITIVE_INFINITY,
  maxBlobCandidates: Number.POSITIVE_INFINITY,
};

function aPool(
  transactions: readonly PooledTransaction[] = [],
  limits: Partial<PoolLimits> = {},
): PoolIndex {
  const pool = new PoolIndex({ ...LIMITS, ...limits });
  for (const transaction of transactions) add(pool, transaction);
  return pool;
}

const add = (pool: PoolIndex, pooled: PooledTransaction, accountNonce = 0) =>
  pool.place(pooled, { accountNonce: BigInt(accountNonce), isDelegated: false }, 0n);

const draw = (pool: PoolIndex, baseFee = 0) => [
  ...pool.candidates({
    baseFee: BigInt(baseFee),
    blobFee: 0n,
    minGasPrice: 0n,
    minPriorityFee: 0n,
  }),
];

const all = (pool: PoolIndex) => [...pool.all()];

describe("a pool", () => {
  it("finds transactions by hash", () => {
    const [taken, other] = [aTransaction(), aTransaction()];
    const pool = aPool([taken]);

    expect(pool.find(taken.hash)).toBe(taken);
    expect(pool.find(other.hash)).toBeUndefined();
    expect(all(pool)).toEqual([taken]);
    expect(pool.size).toBe(1);
  });

  it("returns the transaction that was replaced by a better paid one", () => {
    const [old, better] = [aTransaction({ fee: 100 }), aTransaction({ fee: 110 })];
    const pool = aPool([old]);

    expect(add(pool, better).replaced).toBe(old);
    expect(all(pool)).toEqual([better]);
    expect(pool.find(old.hash)).toBeUndefined();
    expect(draw(pool)).toEqual([better]);
  });

  it("returns undefined if none was replaced", () => {
    expect(add(aPool(), aTransaction())).toEqual({ replaced: undefined, evicted: [] });
  });

  it("keeps a transaction whose replacement is underpriced", () => {
    const old = aTransaction({ fee: 100 });
    const pool = aPool([old]);

    expect(() => add(pool, aTransaction({ fee: 109 }))).toThrow(
      expect.objectContaining({
        reason: "replacement-underpriced",
        message: "Replacement transaction underpriced",
      }),
    );
    expect(all(pool)).toEqual([old]);
  });

  it("rejects transactions once it is full", () => {
    const pool = aPool([aTransaction()], { maxTransactions: 1 });
    const isFull = expect.objectContaining({
      reason: "pool-full",
      message: "Transaction pool is full",
    });

    expect(() => add(pool, aTransaction({ nonce: 1 }))).toThrow(isFull);
    expect(() => add(pool, aTransaction({ from: BOB }))).toThrow(isFull);
    expect(pool.size).toBe(1);
  });

  it("accepts a replacement even if it is full", () => {
    const [old, better] = [aTransaction({ fee: 100 }), aTransaction({ fee: 200 })];
    const pool = aPool([old], { maxTransactions: 1 });

    expect(add(pool, better).replaced).toBe(old);
    expect(all(pool)).toEqual([better]);
  });

  it("accepts transactions again once one has left", () => {
    const [first, second] = [aTransaction(), aTransaction({ from: BOB })];
    const pool = aPool([first], { maxTransactions: 1 });

    pool.remove(first.hash);
    add(pool, second);

    expect(all(pool)).toEqual([second]);
  });

  it("enforces its nonce limit", () => {
    const pool = aPool([], { maxNonceGap: 2 });

    expect(() => add(pool, aTransaction({ nonce: 3 }))).toThrow(
      expect.objectContaining({ reason: "nonce-too-far" }),
    );
    expect(pool.size).toBe(0);
  });
});

describe("the candidates for a block", () => {
  it("are ordered by tip", () => {
    const low = aTransaction({ from: ANN, fee: 100, tip: 1 });
    const high = aTransaction({ from: BOB, fee: 100, tip: 3 });
    const middle = aTransaction({ from: CYD, fee: 100, tip: 2 });

    expect(draw(aPool([low, high, middle]))).toEqual([high, middle, low]);
  });

  it("are compared by the rest of the fee after the base fee", () => {
    const promising = aTransaction({ from: ANN, fee: 52, tip: 40 });
    const modest = aTransaction({ from: BOB, fee: 100, tip: 3 });
    const old = aTransaction({ from: CYD, fee: 60 });
    const pool = aPool([promising, modest, old]);

    expect(draw(pool, 0)).toEqual([old, promising, modest]);
    expect(draw(pool, 50)).toEqual([old, modest, promising]);
  });

  it("keep the nonce order within a sender, whatever they pay", () => {
    const [cheap, dear] = [
      aTransaction({ nonce: 0, fee: 10 }),
      aTransaction({ nonce: 1, fee: 90 }),
    ];
    const other = aTransaction({ from: BOB, fee: 50 });

    expect(draw(aPool([dear, cheap, other]))).toEqual([other, cheap, dear]);
  });

  it("come from the sender that waited longest among equals", () => {
    const transactions = [
      aTransaction({ from: CYD }),
      aTransaction({ from: ANN }),
      aTransaction({ from: BOB }),
    ];

    expect(draw(aPool(transactions))).toEqual(transactions);
  });

  it("exclude a sender's later transactions if an earlier one does not pay the base fee", () => {
    const first = aTransaction({ nonce: 0, fee: 49 });
    const second = aTransaction({ nonce: 1, fee: 900 });
    const other = aTransaction({ from: BOB, fee: 50 });

    expect(draw(aPool([first, second, other]), 50)).toEqual([other]);
  });

  it("exclude the rest of a sender's transactions from the middle on", () => {
    const transactions = [90, 49, 90].map((fee, nonce) => aTransaction({ nonce, fee }));

    expect(draw(aPool(transactions), 50)).toEqual(transactions.slice(0, 1));
  });

  it("exclude transactions that wait for a nonce or have a used one", () => {
    const [passed, next, far] = [0, 1, 3].map((nonce) => aTransaction({ nonce }));
    const pool = aPool([passed, next, far].filter((one) => one !== undefined));

    expect(pool.follow(ANN, 1n)).toEqual([passed]);
    expect(draw(pool)).toEqual([next]);
  });

  it("exclude the rest of a sender whose transaction was skipped", () => {
    const [first, second] = [aTransaction({ nonce: 0 }), aTransaction({ nonce: 1 })];
    const other = aTransaction({ from: BOB, fee: 1 });
    const candidates = aPool([first, second, other]).candidates({
      baseFee: 0n,
      blobFee: 0n,
      minGasPrice: 0n,
      minPriorityFee: 0n,
    });

    expect(candidates.next().value).toBe(first);
    expect(candidates.next(false).value).toBe(other);
    expect(candidates.next(true).done).toBe(true);
  });

  it("start with those that have priority, whatever they pay", () => {
    const rich = aTransaction({ from: ANN, fee: 900 });
    const local = aTransaction({ from: BOB, fee: 1, hasPriority: true });

    expect(draw(aPool([rich, local]))).toEqual([local, rich]);
    expect(draw(aPool([rich, local], { first: "oldest" }))).toEqual([local, rich]);
  });

  it("are in order of arrival if configured", () => {
    const transactions = [1, 3, 2].map((fee, index) =>
      aTransaction({ from: anAddress(index + 1), fee }),
    );

    expect(draw(aPool(transactions, { first: "oldest" }))).toEqual(transactions);
  });

  it("are limited in number, and in number of blob transactions", () => {
    const transactions = [3, 3, 0, 0].map((type, index) =>
      aTransaction({ from: anAddress(index + 1), fee: 100 - index, type }),
    );

    expect(draw(aPool(transactions, { maxCandidates: 3 }))).toEqual(transactions.slice(0, 3));
    expect(draw(aPool(transactions, { maxBlobCandidates: 1 }))).toEqual([
      transactions[0],
      ...transactions.slice(2),
    ]);
  });

  it("exclude those without priority below the minimum price", () => {
    const [poor, local] = [
      aTransaction({ from: ANN, fee: 9 }),
      aTransaction({ from: BOB, fee: 9, hasPriority: true }),
    ];
    const prices = { baseFee: 0n, blobFee: 0n, minGasPrice: 10n, minPriorityFee: 0n };

    expect([...aPool([poor, local]).candidates(prices)]).toEqual([local]);
    expect([...aPool([poor]).firstCandidates(prices)]).toEqual([]);
    expect([...aPool([local]).firstCandidates(prices)]).toHaveLength(1);
  });

  const aWish = fc.record({
    from: fc.constantFrom(ANN, BOB, CYD),
    nonce: fc.integer({ min: 0, max: 6 }),
    fee: fc.integer({ min: 20, max: 60 }),
    tip: fc.integer({ min: 0, max: 20 }),
  });
  const aPoolOf = (wishes: readonly Wanted[]) => {
    const pool = aPool([], { bumps: { gas: 0, blobGas: 0 } });
    for (const wish of wishes) {
      try {
        add(pool, aTransaction(wish));
      } catch (error) {
        expect(error).toMatchObject({ reason: "replacement-underpriced" });
      }
    }
    return pool;
  };
  const aBaseFee = fc.integer({ min: 0, max: 60 });

  it("have every sender's nonces without gaps, and all pay the base fee", () => {
    fc.assert(
      fc.property(fc.array(aWish, { maxLength: 40 }), aBaseFee, (wishes, baseFee) => {
        const next: Record<Address, number> = { [ANN]: 1, [BOB]: 0, [CYD]: 2 };
        const pool = aPoolOf(wishes);
        for (const [sender, nonce] of Object.entries(next)) {
          pool.follow(sender as Address, BigInt(nonce));
        }
        const drawn = draw(pool, baseFee);

        for (const { sender, nonce, maxFeePerGas } of drawn) {
          expect(Number(nonce)).toBe(next[sender]);
          expect(Number(maxFeePerGas)).toBeGreaterThanOrEqual(baseFee);
          next[sender] = Number(nonce) + 1;
        }
      }),
    );
  });

  it("are each the best paid of the possible next ones, until none is left", () => {
    const tipOf = ({ maxFeePerGas, maxPriorityFeePerGas }: PooledTransaction, base: number) =>
      Math.min(Number(maxPriorityFeePerGas), Number(maxFeePerGas) - base);
    fc.assert(
      fc.property(fc.array(aWish, { maxLength: 40 }), aBaseFee, (wishes, baseFee) => {
        const pool = aPoolOf(wishes);
        const next: Record<Address, number> = {};
        const nextTips = () =>
          all(pool)
            .filter(({ sender, nonce }) => Number(nonce) === (next[sender] ?? 0))
            .map((transaction) => tipOf(transaction, baseFee))
            .filter((tip) => tip >= 0);

        for (const transaction of draw(pool, baseFee)) {
          expect(tipOf(transaction, baseFee)).toBe(Math.max(...nextTips()));
          next[transaction.sender] = Number(transaction.nonce) + 1;
        }
        expect(nextTips()).toEqual([]);
      }),
    );
  });
});

describe("a transaction that leaves the pool", () => {
  it("is gone by hash and from the candidates, and later ones wait", () => {
    const [first, second] = [aTransaction({ nonce: 0 }), aTransaction({ nonce: 1 })];
    const pool = aPool([first, second]);

    pool.remove(first.hash);

    expect(pool.find(first.hash)).toBeUndefined();
    expect(all(pool)).toEqual([second]);
    expect(draw(pool)).toEqual([]);
  });

  it("changes nothing if it was unknown", () => {
    const pool = aPool([aTransaction()]);

    pool.remove(aTransaction().hash);

    expect(pool.size).toBe(1);
  });

  it("can come back", () => {
    const transaction = aTransaction();
    const pool = aPool([transaction]);

    pool.remove(transaction.hash);
    add(pool, transaction);

    expect(draw(pool)).toEqual([transaction]);
  });

  it("has a used nonce, whether it was mined or another one with its nonce", () => {
    const [passed, last, other] = [
      aTransaction({ nonce: 0 }),
      aTransaction({ nonce: 1 }),
      aTransaction({ from: BOB }),
    ];
    const pool = aPool([passed, last, other]);

    expect(pool.follow(ANN, 1n)).toEqual([passed]);

    expect(all(pool)).toEqual([last, other]);
    expect(pool.find(passed.hash)).toBeUndefined();
  });

  it("leaves no empty queue behind", () => {
    const pool = aPool([aTransaction({ nonce: 0 }), aTransaction({ from: BOB })]);

    pool.remove(all(pool)[0]?.hash ?? "0x");
    pool.follow(BOB, 9n);

    expect([...pool.senders()]).toEqual([]);
    expect(pool.sizeBytes).toBe(0);
  });
});

describe("a full pool", () => {
  it("evicts transactions that wait for a nonce before executable ones, regardless of price", () => {
    const future = aTransaction({ from: BOB, nonce: 5, fee: 900, hasPriority: true });
    const poor = aTransaction({ from: CYD, fee: 1 });
    const pool = aPool([future, poor], { maxTransactions: 2 });

    expect(add(pool, aTransaction({ from: ANN, fee: 2 })).evicted).toEqual([future]);
  });

  it("evicts the last of a sender, so that no gap arises", () => {
    const [first, last] = [aTransaction({ nonce: 0, fee: 1 }), aTransaction({ nonce: 1, fee: 1 })];
    const pool = aPool([first, last], { maxTransactions: 2 });

    expect(add(pool, aTransaction({ from: BOB, fee: 9 })).evicted).toEqual([last]);
    expect(add(pool, aTransaction({ from: CYD, fee: 9 })).evicted).toEqual([first]);
  });

  it("evicts those without priority first", () => {
    const local = aTransaction({ from: ANN, fee: 1, hasPriority: true });
    const rich = aTransaction({ from: BOB, fee: 900 });
    const pool = aPool([local, rich], { maxTransactions: 2 });

    const { evicted } = add(pool, aTransaction({ from: CYD, fee: 2, hasPriority: true }));

    expect(evicted).toEqual([rich]);
  });

  it("rejects a transaction that would be evicted at once, and keeps the others", () => {
    const [old, other] = [aTransaction({ fee: 5 }), aTransaction({ from: BOB, fee: 9 })];
    const pool = aPool([old, other], { maxBytes: 200 });
    const larger = aTransaction({ from: ANN, fee: 6, sizeBytes: 150 });

    expect(() => add(pool, larger)).toThrow(expect.objectContaining({ reason: "pool-full" }));
    expect(new Set(all(pool))).toEqual(new Set([old, other]));
    expect(pool.sizeBytes).toBe(200);
    expect(new Set(draw(pool))).toEqual(new Set([old, other]));
  });

  it("limits the bytes of transactions that wait for a nonce separately", () => {
    const pool = aPool([aTransaction({ nonce: 1 }), aTransaction({ from: BOB })], {
      maxFutureBytes: 100,
    });

    expect(() => add(pool, aTransaction({ from: CYD, nonce: 1 }))).toThrow(
      expect.objectContaining({ reason: "pool-full" }),
    );
    expect(add(pool, aTransaction({ from: CYD, nonce: 1, fee: 900 })).evicted).toHaveLength(1);
  });

  it("never evicts executable transactions while another waits for a nonce, and stays within its limits", () => {
    const aWish = fc.record({
      from: fc.integer({ min: 1, max: 8 }).map(anAddress),
      nonce: fc.integer({ min: 0, max: 6 }),
      fee: fc.integer({ min: 1, max: 50 }),
      sizeBytes: fc.integer({ min: 50, max: 150 }),
      hasPriority: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(aWish, { maxLength: 80 }), (wishes) => {
        const pool = aPool([], { maxTransactions: 12, maxBytes: 1_100, maxFutureBytes: 500 });
        const isReady = ({ sender, nonce }: PooledTransaction) =>
          pool.queueOf(sender)?.isReady(nonce) === true;
        for (const wish of wishes) {
          const ready = new Set(all(pool).filter(isReady));
          const offered = aTransaction(wish);
          try {
            const { evicted } = add(pool, offered);
            const hasDroppedReady = evicted.some((victim) => ready.has(victim));
            if (hasDroppedReady) expect(all(pool).every(isReady)).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({
              reason: expect.stringMatching(/^(pool-full|replacement-underpriced)$/),
            });
            expect(pool.find(offered.hash)).toBeUndefined();
          }
          const bytes = (list: readonly PooledTransaction[]) =>
            list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
          expect(pool.size).toBeLessThanOrEqual(12);
          expect(pool.sizeBytes).toBe(bytes(all(pool)));
          expect(pool.sizeBytes).toBeLessThanOrEqual(1_100);
          expect(bytes(all(pool).filter((one) => !isReady(one)))).toBeLessThanOrEqual(500);
        }
      }),
    );
  });

  it("handles a flood of 50,000 at no more than four times the cost of 5,000 each", () => {
    const few = flood(5_000);
    const many = flood(50_000);

    expect(many.took).toBeLessThan(4 * 10 * few.took);
    expect(many.size).toBe(4_096);
    expect(many.refused).toBeGreaterThan(10_000);
  });
});

/** Sends many transactions of 5,000 senders to a pool with a lower limit. */
function flood(count: number) {
  const pool = aPool([], { maxTransactions: 4_096 });
  const begin = performance.now();
  let refused = 0;
  for (let index = 0; index < count; index++) {
    const from = anAddress(1 + (index % 5_000));
    const nonce = 1 + Math.floor(index / 5_000);
    try {
      add(pool, aTransaction({ from, nonce, fee: 1 + (index % 97) }));
    } catch {
      refused += 1;
    }
  }
  return { took: performance.now() - begin, size: pool.size, refused };
}

describe("a delegated sender (EIP-7702)", () => {
  const place = (pool: PoolIndex, wanted: Wanted) =>
    pool.place(aTransaction(wanted), { accountNonce: 0n, isDelegated: true }, 0n);

  it("may have one transaction, with its next nonce, and replace it", () => {
    const pool = aPool();
    const isRefused = expect.objectContaining({ reason: "delegated-sender" });

    expect(() => place(pool, { nonce: 1 })).toThrow(isRefused);
    place(pool, { nonce: 0 });
    expect(() => place(pool, { nonce: 1 })).toThrow(isRefused);
    expect(place(pool, { nonce: 0, fee: 200 }).replaced).toBeDefined();
  });
});

describe("a large pool", () => {
  it.each([
    ["1,000 senders", 1_000],
    ["one sender", 1],
    ["10,000 senders", 10_000],
  ])("adds and removes the transactions of %s in linear time", (_, senders) => {
    // The least processor time of three: other work on the machine adds to it.
    const least = (count: number, of: number) =>
      Math.min(...[1, 2, 3].map(() => timeOf(count, of)));
    const [few, many] = [least(1_000, senders / 10), least(10_000, senders)];

    // Ten times as many; quadratic behavior takes a hundred times as long.
    expect(many).toBeLessThan(50 * Math.max(few, LEAST_MS));
  });

  /** Shorter times are dominated by other work. */
  const LEAST_MS = 5;

  function timeOf(count: number, senders: number): number {
    const transactions = Array.from({ length: count }, (_, index) =>
      aTransaction({
        from: anAddress(1 + (index % Math.max(1, senders))),
        nonce: Math.floor(index / Math.max(1, senders)),
        fee: 100 + ((index * 7_919) % 1_009),
      }),
    );
    const begin = process.cpuUsage();
    expect(draw(aPool(transactions))).toHaveLength(count);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  }
});

describe("a transaction that is set aside", () => {
  it("is no candidate, nor are those that follow it, until it is gone", () => {
    const first = aTransaction({ nonce: 0 });
    const bad = aTransaction({ nonce: 1 });
    const after = aTransaction({ nonce: 2 });
    const other = aTransaction({ from: BOB });
    const pool = aPool([first, bad, after, other]);

    pool.setAside(bad, "it never ends");

    expect(draw(pool)).toEqual([other, first]);
    expect(pool.findSetAside(after)).toMatchObject({ hash: bad.hash, message: "it never ends" });
    pool.remove(bad.hash);
    expect(pool.findSetAside(after)).toBeUndefined();
    const again = aTransaction({ nonce: 1 });
    add(pool, again);
    expect(draw(pool)).toEqual([other, first, again, after]);
  });

  it("is replaced by one with the same nonce that pays more", () => {
    const bad = aTransaction({ nonce: 0, fee: 100 });
    const better = aTransaction({ nonce: 0, fee: 110 });
    const pool = aPool([bad]);
    pool.setAside(bad, "it never ends");

    add(pool, better);

    expect(draw(pool)).toEqual([better]);
  });

  it("leaves once its nonce is used", () => {
    const bad = aTransaction({ nonce: 0 });
    const after = aTransaction({ nonce: 1 });
    const pool = aPool([bad, after]);
    pool.setAside(bad, "it never ends");

    expect(pool.follow(ANN, 1n)).toEqual([bad]);

    expect(draw(pool)).toEqual([after]);
  });

  it("does not make a block worth building by itself", () => {
    const prices = { baseFee: 0n, blobFee: 0n, minGasPrice: 0n, minPriorityFee: 0n };
    const bad = aTransaction({ nonce: 0 });
    const pool = aPool([bad]);
    expect([...pool.firstCandidates(prices)]).toHaveLength(1);

    pool.setAside(bad, "it never ends");

    expect([...pool.firstCandidates(prices)]).toEqual([]);
  });

  it("stays set aside if its replacement does not fit", () => {
    const bad = aTransaction({ nonce: 0, fee: 100 });
    const others = [CYD, BOB].map((from) => aTransaction({ from, fee: 1000 }));
    const pool = aPool([bad, ...others], { maxBytes: 300 });
    pool.setAside(bad, "it never ends");

    const large = aTransaction({ nonce: 0, fee: 110, sizeBytes: 200 });
    expect(() => add(pool, large)).toThrow("full");

    expect(pool.findSetAside(bad)).toMatchObject({ hash: bad.hash, message: "it never ends" });
    expect(draw(pool)).toEqual(others);
  });

  it("is evicted first, with those that follow it, whatever it would pay", () => {
    const held = [0, 1, 2].map((nonce) => aTransaction({ nonce, fee: 1000 }));
    const pool = aPool(held, { maxTransactions: 3 });
    pool.setAside(held[0] as PooledTransaction, "it never ends");
    const honest = [BOB, CYD].map((from) => aTransaction({ from, fee: 1 }));

    const evicted = honest.flatMap((transaction) => add(pool, transaction).evicted);

    expect(evicted).toHaveLength(2);
    expect(held).toEqual(expect.arrayContaining(evicted as PooledTransaction[]));
    expect(draw(pool)).toEqual(expect.arrayContaining(honest));
  });

  it("counts like any other once the blocking one is gone", () => {
    const [bad, after] = [0, 1].map((nonce) => aTransaction({ nonce, fee: 1000 }));
    const other = aTransaction({ from: BOB, fee: 10 });
    const pool = aPool([bad, after, other] as PooledTransaction[], { maxTransactions: 3 });
    pool.setAside(bad as PooledTransaction, "it never ends");
    add(pool, aTransaction({ nonce: 0, fee: 2000 }));

    expect(add(pool, aTransaction({ from: CYD, fee: 500 })).evicted).toEqual([other]);
  });

  it.each(["best-paid", "oldest"] as const)(
    "puts its sender's next transactions behind all others until one is mined, if the %s go first",
    (first) => {
      const bad = aTransaction({ nonce: 0, fee: 100 });
      const pool = aPool([bad], { first });
      pool.setAside(bad, "it never ends");
      const again = aTransaction({ nonce: 0, fee: 1000, hasPriority: true });
      const next = aTransaction({ nonce: 1, fee: 1000 });
      const other = aTransaction({ from: BOB, fee: 1 });
      for (const transaction of [again, next, other]) add(pool, transaction);

      expect(draw(pool)).toEqual([other, again, next]);
      pool.follow(ANN, 1n);
      expect(draw(pool)).toEqual([next, other]);
    },
  );
});
