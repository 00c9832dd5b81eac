import { signTransaction } from "@plinth/testing";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { hexToBytes } from "../primitives/hex.js";
import { SenderRecovery } from "./sender-recovery.js";
import { decodeTransaction, type Transaction } from "./transaction.js";

const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
let recovery: SenderRecovery | undefined;

beforeAll(async () => {
  await loadCrypto();
});
afterEach(() => recovery?.close());

describe("senders recovered on a worker thread", () => {
  it("are known before they are read", async () => {
    recovery = new SenderRecovery(raise);
    const transactions = await makeTransactions(20);

    await recovery.recover(transactions);

    expect(transactions.every(({ knowsSender }) => knowsSender)).toBe(true);
    expect(new Set(transactions.map(({ sender }) => sender))).toEqual(new Set([ALICE]));
  });

  it("are assigned to the right transactions, whatever the order of the requests", async () => {
    recovery = new SenderRecovery(raise);
    const blocks = await Promise.all([8, 30, 12].map(makeTransactions));

    await Promise.all(blocks.map((block) => recovery?.recover(block)));

    for (const { sender } of blocks.flat()) expect(sender).toBe(ALICE);
  });

  it("skip invalid signatures, which are reported when the sender is read", async () => {
    recovery = new SenderRecovery(raise);
    const good = await makeTransactions(10);
    const bad = withBrokenSignature(good[0]);

    await recovery.recover([bad, ...good]);

    expect(bad.knowsSender).toBe(false);
    expect(() => bad.sender).toThrow("signature");
    expect(good.every(({ knowsSender }) => knowsSender)).toBe(true);
  });

  it("do not start a thread for a few", async () => {
    recovery = new SenderRecovery(raise);
    const transactions = await makeTransactions(3);

    await recovery.recover(transactions);

    expect(transactions.some(({ knowsSender }) => knowsSender)).toBe(false);
  });

  it("settle when the recovery is closed meanwhile", async () => {
    recovery = new SenderRecovery(raise);
    const transactions = await makeTransactions(50);

    const recovered = recovery.recover(transactions);
    await recovery.close();
    await recovered;

    await recovery.recover(transactions);
    expect(transactions[0]?.sender).toBe(ALICE);
  });

  it("are recovered on the main thread when the worker fails, which is logged once", async () => {
    const failed = vi.fn();
    const script = new URL("data:text/javascript,throw new Error('there is no thread')");
    recovery = new SenderRecovery(failed, script);
    const transactions = await makeTransactions(10);

    await recovery.recover(transactions);
    await recovery.recover(transactions);

    expect(failed).toHaveBeenCalledOnce();
    expect(transactions[0]?.sender).toBe(ALICE);
  });
});

describe("senders of transactions that arrive one by one", () => {
  it("are recovered on the thread if several arrive in one turn of the loop", async () => {
    recovery = await startedRecovery();
    const transactions = await makeTransactions(20);

    await Promise.all(transactions.map((each) => recovery?.recoverArrived(each)));

    expect(transactions.every(({ knowsSender }) => knowsSender)).toBe(true);
    expect(new Set(transactions.map(({ sender }) => sender))).toEqual(new Set([ALICE]));
  });

  it("are left to the first read if one arrives alone", async () => {
    recovery = new SenderRecovery(raise);
    const [transaction] = await makeTransactions(1);
    if (transaction === undefined) throw new Error("there is no transaction");

    await recovery.recoverArrived(transaction);

    expect(transaction.knowsSender).toBe(false);
    expect(transaction.sender).toBe(ALICE);
  });

  it("are left to the first read while the thread starts", async () => {
    recovery = new SenderRecovery(raise);
    const transactions = await makeTransactions(20);

    await Promise.all(transactions.map((each) => recovery?.recoverArrived(each)));

    expect(transactions.some(({ knowsSender }) => knowsSender)).toBe(false);
    expect(transactions[0]?.sender).toBe(ALICE);
  });

  it("do not wait for a block", async () => {
    recovery = await startedRecovery();
    const block = await makeTransactions(500);
    const transactions = await makeTransactions(20);
    let isDone = false;
    const recovered = recovery.recover(block).then(() => {
      isDone = true;
    });

    await Promise.all(transactions.map((each) => recovery?.recoverArrived(each)));

    expect(isDone).toBe(false);
    expect(transactions.some(({ knowsSender }) => knowsSender)).toBe(false);
    await recovered;
    expect(block.every(({ knowsSender }) => knowsSender)).toBe(true);
  });

  it("are recovered on the main thread if no thread can be created, which is logged once", async () => {
    const failed = vi.fn();
    recovery = new SenderRecovery(failed, "not/absolute.js");
    const transactions = await makeTransactions(9);
    const [alone, ...many] = transactions;
    if (alone === undefined) throw new Error("there is no transaction");

    await Promise.all(many.map((each) => recovery?.recoverArrived(each)));
    await recovery.recoverArrived(alone);
    await recovery.recover(many);

    expect(failed).toHaveBeenCalledOnce();
    for (const { sender } of transactions) expect(sender).toBe(ALICE);
  });

  it("do not overtake those before them", async () => {
    recovery = await startedRecovery();
    const transactions = await makeTransactions(21);
    const ready: bigint[] = [];
    const arrive = async (transaction: Transaction) => {
      await recovery?.recoverArrived(transaction);
      ready.push(transaction.nonce);
    };

    const many = transactions.slice(0, 20).map(arrive);
    await new Promise((resolve) => setImmediate(resolve));
    const alone = transactions.slice(20).map(arrive);
    await Promise.all([...alone, ...many]);

    expect(ready).toEqual(transactions.map(({ nonce }) => nonce));
  });

  it("settle when the recovery is closed meanwhile", async () => {
    recovery = await startedRecovery();
    const transactions = await makeTransactions(20);

    const arrived = transactions.map((each) => recovery?.recoverArrived(each));
    await new Promise((resolve) => setImmediate(resolve));
    await recovery.close();
    await Promise.all(arrived);

    expect(transactions[0]?.sender).toBe(ALICE);
  });
});

it("senders that were recovered elsewhere are known to later copies of a transaction", async () => {
  recovery = new SenderRecovery(raise);
  const transactions = await makeTransactions(10);

  await recovery.recover(transactions);

  expect(transactions.every(({ raw }) => decodeTransaction(raw).knowsSender)).toBe(true);
});

/** With its thread running. */
async function startedRecovery(): Promise<SenderRecovery> {
  const started = new SenderRecovery(raise);
  await started.recover(await makeTransactions(10));
  return started;
}

function raise(error: unknown): void {
  throw error;
}

/** Senders are remembered: no test gets the transactions of another one. */
let nextNonce = 0;

async function makeTransactions(count: number): Promise<readonly Transaction[]> {
  const signed = Array.from({ length: count }, () => signTransaction({ nonce: nextNonce++ }));
  return (await Promise.all(signed)).map((hex) => decodeTransaction(hexToBytes(hex)));
}

/** With an `r` that is not the x coordinate of a curve point, as for every second number. */
function withBrokenSignature(transaction: Transaction | undefined): Transaction {
  if (transaction === undefined) throw new Error("there is no transaction");
  for (let byte = 1; ; byte++) {
    const raw = new Uint8Array(transaction.raw);
    // The last 33 bytes are `s` with its length; `r` precedes them.
    raw.fill(byte, -65, -33);
    const changed = decodeTransaction(raw);
    if (!canBeRecovered(decodeTransaction(raw))) return changed;
  }
}

function canBeRecovered(transaction: Transaction): boolean {
  try {
    return transaction.sender !== undefined;
  } catch {
    return false;
  }
}
