import { decodeInput } from "../abi/book.js";
import { h } from "../dom.js";
import { formatUnits, toBig } from "../format.js";
import { addressLink, age, badge, blockLink, transactionLink } from "../parts/links.js";
import { columns, table } from "../parts/table.js";
import type { Receipt, Transaction } from "../types.js";

/** A transaction as a row of a table. */
export interface TransactionRow {
  readonly transaction: Transaction;
  readonly receipt?: Receipt | undefined;
  readonly timestamp?: number | undefined;
  /** The address whose page this is: marked as sender or recipient. */
  readonly seenFrom?: string;
}

/** A table of transactions. */
export function transactionTable(rows: readonly TransactionRow[], name: string): HTMLElement {
  const hasReceipts = rows.some(({ receipt }) => receipt !== undefined);
  const hasAges = rows.some(({ timestamp }) => timestamp !== undefined);
  return table({
    name,
    columns: columns(
      "Hash",
      "Block#",
      ...(hasAges ? ["Age"] : []),
      "Method",
      "From",
      "To",
      "Ether#",
      ...(hasReceipts ? ["Status"] : []),
    ),
    rows: rows.map(({ transaction, receipt, timestamp, seenFrom }) => [
      transactionLink(transaction.hash),
      transaction.blockNumber ? blockLink(transaction.blockNumber) : "pending",
      ...(hasAges ? [timestamp === undefined ? "" : age(timestamp)] : []),
      h("span", { class: "method" }, methodName(transaction)),
      party(transaction.from, seenFrom),
      transaction.to === null
        ? [badge("creates"), " ", addressLink(receipt?.contractAddress)]
        : party(transaction.to, seenFrom),
      formatUnits(toBig(transaction.value)),
      ...(hasReceipts ? [receipt === undefined ? "" : outcome(receipt)] : []),
    ]),
    empty: "No transactions.",
  });
}

/** Whether a transaction succeeded. */
export function outcome({ status }: Receipt): HTMLElement {
  return status === "0x1" || status === undefined
    ? badge("success", "good")
    : badge("failed", "bad");
}

/** The function that a transaction calls, by its name if that is known. */
export function methodName({ input, to }: Pick<Transaction, "input" | "to">): string {
  if (to === null) return "create";
  if (input === "0x") return "transfer";
  return decodeInput(input)?.entry.name ?? input.slice(0, 10);
}

function party(address: string, seenFrom: string | undefined) {
  return address.toLowerCase() === seenFrom
    ? h("span", { class: "self", "data-full": address }, "this address")
    : addressLink(address);
}
