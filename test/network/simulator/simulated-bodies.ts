import { type Body, encodeRlp, type Header, type Transaction } from "@plinth/core";
import { decodeTransaction, scalarBytes, type Withdrawal } from "@plinth/core/blocks";

const ADDRESS = `0x${"00".repeat(19)}01` as const;
const MAX_NUMBER = 64;

/** Transactions and withdrawals are created once for each number. */
const transactions = new Map<number, Transaction>();

/** A body with many parts to falsify; other numbers give other bodies. */
export function createBody(number: number): Body {
  return {
    transactions: [createTransaction(number), createTransaction(number + 1)],
    uncles: [],
    withdrawals: [createWithdrawal(number)],
  };
}

/** A cheap transaction: its signature is not that of a key. */
export function createTransaction(number: number): Transaction {
  const nonce = number % MAX_NUMBER;
  const known = transactions.get(nonce);
  if (known !== undefined) return known;
  const to = Buffer.alloc(20, 1);
  const fields = [nonce, 1, 21_000, to, number % 7, Buffer.alloc(0), 27, 1, 1];
  const items = fields.map((each) =>
    typeof each === "number" ? scalarBytes(BigInt(each)) : Uint8Array.from(each),
  );
  const transaction = decodeTransaction(encodeRlp(items), ADDRESS);
  transactions.set(nonce, transaction);
  return transaction;
}

export function createWithdrawal(number: number): Withdrawal {
  return { index: BigInt(number), validatorIndex: 1n, address: ADDRESS, amountGwei: 1n };
}

/** The ways in which a body can be wrong under an unchanged header. */
export const BODY_CHANGES: Readonly<Record<string, (body: Body, header: Header) => Body>> = {
  "a transaction added": (body) => ({
    ...body,
    transactions: [...body.transactions, createTransaction(63)],
  }),
  "no transactions": (body) => ({ ...body, transactions: [] }),
  "a transaction replaced": (body) => ({
    ...body,
    transactions: [createTransaction(62), ...body.transactions.slice(1)],
  }),
  "transactions in another order": (body) => ({
    ...body,
    transactions: body.transactions.toReversed(),
  }),
  "an uncle": (body, header) => ({ ...body, uncles: [header] }),
  "a withdrawal added": (body) => ({
    ...body,
    withdrawals: [...(body.withdrawals ?? []), createWithdrawal(63)],
  }),
  "a withdrawal replaced": (body) => ({ ...body, withdrawals: [createWithdrawal(62)] }),
  "no withdrawals": (body) => ({ ...body, withdrawals: [] }),
  "no list of withdrawals": ({ transactions, uncles }) => ({ transactions, uncles }),
};
