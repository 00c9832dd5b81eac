import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Transaction } from "../blocks/transaction.js";
import type { StateReader } from "../evm/world-state.js";
import type { Address } from "../primitives/hex.js";
import { type PoolLimits, TransactionPool } from "./pool.js";

const RULES = { chainId: 1337n, blockGasLimit: 30_000_000n, minFee: 0n };
const [ANN, BOB, CYD] = [1, 2, 3].map(anAddress) as [Address, Address, Address];

interface Wanted {
  readonly from?: Address;
  readonly nonce?: number;
  /** The most it pays per gas. */
  readonly fee?: number;
  /** Without one it is an old transaction, whose fee is its gas price. */
  readonly tip?: number;
}

let made = 0;

/** A transfer; only the fields that the pool reads. */
function aTransaction({ from = ANN, nonce = 0, fee = 100, tip }: Wanted = {}): Transaction {
  made += 1;
  const fees =
    tip === undefined
      ? { type: 0, gasPrice: BigInt(fee) }
      : { type: 2, maxFeePerGas: BigInt(fee), maxPriorityFeePerGas: BigInt(tip) };
  return {
    hash: `0x${made.toString(16).padStart(64, "0")}`,
    sender: from,
    chainId: 1337n,
    nonce: BigInt(nonce),
    gasLimit: 21_000n,
    to: BOB,
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    blobVersionedHashes: [],
    authorizationList: [],
    ...fees,
  } as unknown as Transaction;
}

function anAddress(index: number): Address {
  return `0x${index.toString(16).padStart(40, "0")}`;
}

/** Everyone is rich; nonces are 0 unless given. */
function aState(nonces: Readonly<Record<Address, number>> = {}): StateReader {
  return {
    findAccount: (address) => ({
      nonce: BigInt(nonces[address] ?? 0),
      balance: 10n ** 18n,
      codeHash: "0x",
    }),
    getCode: () => new Uint8Array(),
    getStorage: () => 0n,
  };
}

function aPool(
  transactions: readonly Transaction[] = [],
  limits: Partial<PoolLimits> = {},
): TransactionPool {
  const pool = new TransactionPool({
    maxTransactions: 20_000,
    maxNonceGap: 20_000,
    priceBumpPercent: 10,
    ...limits,
  });
  for (const transaction of transactions) pool.add(transaction, aState(), RULES);
  return pool;
}

const add = (pool: TransactionPool, transaction: Transaction) =>
  pool.add(transaction, aState(), RULES);

const draw = (pool: TransactionPool, baseFee = 0, state = aState()) => [
  ...pool.candidates(state, BigInt(baseFee)),
];

describe("a pool", () => {
  it("finds what it took by hash", () => {
    const [taken, other] = [aTransaction(), aTransaction()];
    const pool = aPool([taken]);

    expect(pool.find(taken.hash)).toBe(taken);
    expect(pool.find(other.hash)).toBeUndefined();
    expect(pool.all()).toEqual([taken]);
    expect(pool.size).toBe(1);
  });

  it("says that it has a transaction already", () => {
    const transaction = aTransaction();
    const pool = aPool([transaction]);

    expect(() => add(pool, transaction)).toThrow(
      expect.objectContaining({ reason: "known", message: "Known transaction" }),
    );
  });

  it("answers the transaction that gave way to a better paid one", () => {
    const [old, better] = [aTransaction({ fee: 100 }), aTransaction({ fee: 110 })];
    const pool = aPool([old]);

    expect(add(pool, better)).toBe(old);
    expect(pool.all()).toEqual([better]);
    expect(pool.find(old.hash)).toBeUndefined();
    expect(draw(pool)).toEqual([better]);
  });

  it("answers nothing when none gave way", () => {
    expect(add(aPool(), aTransaction())).toBeUndefined();
  });

  it("keeps a transaction whose replacement pays too little", () => {
    const old = aTransaction({ fee: 100 });
    const pool = aPool([old]);

    expect(() => add(pool, aTransaction({ fee: 109 }))).toThrow(
      expect.objectContaining({
        reason: "replacement-underpriced",
        message: "Replacement transaction underpriced",
      }),
    );
    expect(pool.all()).toEqual([old]);
  });

  it("takes no transaction once it is full", () => {
    const pool = aPool([aTransaction()], { maxTransactions: 1 });
    const isFull = expect.objectContaining({
      reason: "pool-full",
      message: "Transaction pool is full",
    });

    expect(() => add(pool, aTransaction({ nonce: 1 }))).toThrow(isFull);
    expect(() => add(pool, aTransaction({ from: BOB }))).toThrow(isFull);
    expect(pool.size).toBe(1);
  });

  it("takes a replacement even when it is full", () => {
    const [old, better] = [aTransaction({ fee: 100 }), aTransaction({ fee: 200 })];
    const pool = aPool([old], { maxTransactions: 1 });

    expect(add(pool, better)).toBe(old);
    expect(pool.all()).toEqual([better]);
  });

  it("has room again once a transaction left", () => {
    const [first, second] = [aTransaction(), aTransaction({ from: BOB })];
    const pool = aPool([first], { maxTransactions: 1 });

    pool.remove(first.hash);
    add(pool, second);

    expect(pool.all()).toEqual([second]);
  });

  it("holds nonces against its own limit", () => {
    const pool = aPool([], { maxNonceGap: 2 });

    expect(() => add(pool, aTransaction({ nonce: 3 }))).toThrow(
      expect.objectContaining({ reason: "nonce-too-far" }),
    );
    expect(pool.size).toBe(0);
  });
});

describe("the next nonce of a sender", () => {
  it.each([
    ["the account's when nothing waits", [], 5n],
    ["after those that follow each other", [5, 6], 7n],
    ["the gap's when one is missing", [5, 6, 8], 7n],
    ["the account's when the first is missing", [6, 7], 5n],
    ["after what fills a gap late", [5, 7, 6], 8n],
    ["not held back by what the chain has passed", [3, 5], 6n],
  ])("is %s", (_, nonces, next) => {
    const pool = aPool(nonces.map((nonce) => aTransaction({ nonce })));

    expect(pool.nextNonce(ANN, aState({ [ANN]: 5 }))).toBe(next);
  });

  it("is zero without an account", () => {
    const state = { ...aState(), findAccount: () => undefined };

    expect(aPool().nextNonce(ANN, state)).toBe(0n);
    expect(aPool([aTransaction()]).nextNonce(ANN, state)).toBe(1n);
  });
});

describe("the candidates for a block", () => {
  it("come with the best tip first", () => {
    const low = aTransaction({ from: ANN, fee: 100, tip: 1 });
    const high = aTransaction({ from: BOB, fee: 100, tip: 3 });
    const middle = aTransaction({ from: CYD, fee: 100, tip: 2 });

    expect(draw(aPool([low, high, middle]))).toEqual([high, middle, low]);
  });

  it("are compared by what is left of the fee after the base fee", () => {
    const promising = aTransaction({ from: ANN, fee: 52, tip: 40 });
    const modest = aTransaction({ from: BOB, fee: 100, tip: 3 });
    const old = aTransaction({ from: CYD, fee: 60 });
    const pool = aPool([promising, modest, old]);

    expect(draw(pool, 0)).toEqual([old, promising, modest]);
    expect(draw(pool, 50)).toEqual([old, modest, promising]);
  });

  it("keep the order of nonces within a sender, whatever they pay", () => {
    const [cheap, dear] = [
      aTransaction({ nonce: 0, fee: 10 }),
      aTransaction({ nonce: 1, fee: 90 }),
    ];
    const other = aTransaction({ from: BOB, fee: 50 });

    expect(draw(aPool([dear, cheap, other]))).toEqual([other, cheap, dear]);
  });

  it("come from the sender who waited longest among equals", () => {
    const transactions = [
      aTransaction({ from: CYD }),
      aTransaction({ from: ANN }),
      aTransaction({ from: BOB }),
    ];

    expect(draw(aPool(transactions))).toEqual(transactions);
  });

  it("leave out a sender's later transactions when an earlier one does not pay the base fee", () => {
    const first = aTransaction({ nonce: 0, fee: 49 });
    const second = aTransaction({ nonce: 1, fee: 900 });
    const other = aTransaction({ from: BOB, fee: 50 });

    expect(draw(aPool([first, second, other]), 50)).toEqual([other]);
  });

  it("leave out what follows in the middle of a sender's transactions", () => {
    const transactions = [90, 49, 90].map((fee, nonce) => aTransaction({ nonce, fee }));

    expect(draw(aPool(transactions), 50)).toEqual(transactions.slice(0, 1));
  });

  it("leave out what waits for a nonce and what the chain has passed", () => {
    const [passed, next, far] = [0, 1, 3].map((nonce) => aTransaction({ nonce })) as [
      Transaction,
      Transaction,
      Transaction,
    ];

    expect(draw(aPool([passed, next, far]), 0, aState({ [ANN]: 1 }))).toEqual([next]);
  });

  it("stay as they were at the first draw while the pool changes", () => {
    const transactions = [0, 1, 2].map((nonce) => aTransaction({ nonce }));
    const pool = aPool(transactions);
    const drawn: Transaction[] = [];

    for (const transaction of pool.candidates(aState(), 0n)) {
      drawn.push(transaction);
      pool.remove(transaction.hash);
    }

    expect(drawn).toEqual(transactions);
    expect(pool.size).toBe(0);
  });

  const aWish = fc.record({
    from: fc.constantFrom(ANN, BOB, CYD),
    nonce: fc.integer({ min: 0, max: 6 }),
    fee: fc.integer({ min: 20, max: 60 }),
    tip: fc.integer({ min: 0, max: 20 }),
  });
  const aPoolOf = (wishes: readonly Wanted[]) => {
    const pool = aPool([], { priceBumpPercent: 0 });
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
        const drawn = draw(aPoolOf(wishes), baseFee, aState(next));

        for (const { sender, nonce, maxFeePerGas } of drawn) {
          expect(Number(nonce)).toBe(next[sender]);
          expect(Number(maxFeePerGas)).toBeGreaterThanOrEqual(baseFee);
          next[sender] = Number(nonce) + 1;
        }
      }),
    );
  });

  it("are each the best paid of what could come next, until nothing could", () => {
    const tipOf = ({ maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: Transaction, base: number) =>
      Math.min(Number(maxPriorityFeePerGas), Number(maxFeePerGas) - base);
    fc.assert(
      fc.property(fc.array(aWish, { maxLength: 40 }), aBaseFee, (wishes, baseFee) => {
        const pool = aPoolOf(wishes);
        const next: Record<Address, number> = {};
        const nextTips = () =>
          pool
            .all()
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
  it("is gone by hash and from the candidates, and those after it wait", () => {
    const [first, second] = [aTransaction({ nonce: 0 }), aTransaction({ nonce: 1 })];
    const pool = aPool([first, second]);

    pool.remove(first.hash);

    expect(pool.find(first.hash)).toBeUndefined();
    expect(pool.all()).toEqual([second]);
    expect(draw(pool)).toEqual([]);
  });

  it("changes nothing when it was not there", () => {
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

  it("was passed by the chain, whether it was mined or another with its nonce", () => {
    const [passed, last, other] = [
      aTransaction({ nonce: 0 }),
      aTransaction({ nonce: 1 }),
      aTransaction({ from: BOB }),
    ];
    const pool = aPool([passed, last, other]);

    pool.prune(aState({ [ANN]: 1 }));

    expect(pool.all()).toEqual([last, other]);
    expect(pool.find(passed.hash)).toBeUndefined();
  });

  it.each<[string, (pool: TransactionPool) => void]>([
    ["removed", (pool) => pool.all().forEach(({ hash }) => void pool.remove(hash))],
    ["pruned", (pool) => pool.prune(aState({ [ANN]: 9, [BOB]: 9 }))],
  ])("leaves no empty queue of its sender behind when it is %s", (_, empty) => {
    const pool = aPool([aTransaction({ nonce: 0 }), aTransaction({ nonce: 1 })]);
    add(pool, aTransaction({ from: BOB }));
    const asked: Address[] = [];
    const state = aState();
    const watched = {
      ...state,
      findAccount: (address: Address) => {
        asked.push(address);
        return state.findAccount(address);
      },
    };

    empty(pool);

    expect(pool.size).toBe(0);
    expect([...pool.candidates(watched, 0n)]).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("a large pool", () => {
  it.each([
    ["1,000 senders", 1_000],
    ["one sender", 1],
    ["10,000 senders", 10_000],
  ])("takes and gives 10,000 transactions of %s in well under two seconds", (_, senders) => {
    const transactions = Array.from({ length: 10_000 }, (_, index) =>
      aTransaction({
        from: anAddress(1 + (index % senders)),
        nonce: Math.floor(index / senders),
        fee: 100 + ((index * 7_919) % 1_009),
      }),
    );
    const begin = performance.now();

    const drawn = draw(aPool(transactions));

    expect(drawn).toHaveLength(10_000);
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});
