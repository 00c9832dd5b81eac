import { type Child, h, link } from "../dom.js";
import { formatUnits, toBig, toNumber } from "../format.js";
import { addressLink, badge, blockLink, transactionLink } from "../parts/links.js";
import { columns, table } from "../parts/table.js";
import { call } from "../rpc.js";
import type { Receipt, Transaction } from "../types.js";
import { transactionTable } from "./transaction-table.js";

const PAGE = 25;
const KINDS = ["transfer", "self-destruct", "create", "create2"];

/** A page of the transactions of an address, as `ots_searchTransactions…` return it. */
interface HistoryPage {
  readonly txs: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

/** A transfer by a contract, as `ots_getInternalOperations` returns it. */
interface Operation {
  readonly type: number;
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

/** The transactions of an address, newest first. */
export async function addressHistory(address: string, query: URLSearchParams): Promise<Child> {
  const page = await readPage(address, query);
  return [
    transactionTable(
      page.txs.map((transaction, index) => ({
        transaction,
        receipt: page.receipts[index],
        timestamp: page.receipts[index]?.timestamp,
        seenFrom: address,
      })),
      "Transactions of the address",
    ),
    pager(`address/${address}`, page),
  ];
}

/** Ether that contracts sent to or from an address. */
export async function internalTransfers(address: string, query: URLSearchParams): Promise<Child> {
  const page = await readPage(address, query);
  const operations = await Promise.all(
    page.txs.map(({ hash }) => call<readonly Operation[]>("ots_getInternalOperations", [hash])),
  );
  const rows = page.txs.flatMap((transaction, index) =>
    (operations[index] ?? [])
      .filter(({ from, to }) => [from, to].some((each) => each.toLowerCase() === address))
      .map(({ type, from, to, value }) => [
        transactionLink(transaction.hash),
        blockLink(transaction.blockNumber),
        badge(KINDS[type] ?? String(type)),
        addressLink(from),
        addressLink(to),
        formatUnits(toBig(value)),
      ]),
  );
  return [
    table({
      name: "Internal transfers",
      columns: columns("Transaction", "Block#", "Kind", "From", "To", "Ether#"),
      rows,
      empty: `None in the ${page.txs.length} transactions of this page.`,
    }),
    pager(`address/${address}/internal`, page),
  ];
}

function readPage(address: string, query: URLSearchParams): Promise<HistoryPage> {
  const after = numberIn(query.get("after"));
  if (after !== undefined) return call("ots_searchTransactionsAfter", [address, after, PAGE]);
  return call("ots_searchTransactionsBefore", [address, numberIn(query.get("before")) ?? 0, PAGE]);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function pager(path: string, { txs, firstPage, lastPage }: HistoryPage): HTMLElement {
  const newest = toNumber(txs[0]?.blockNumber);
  const oldest = toNumber(txs.at(-1)?.blockNumber);
  return h(
    "p",
    { class: "pager" },
    !firstPage && link(path, "Newest"),
    !firstPage && txs.length > 0 && link(`${path}?after=${newest}`, "Newer"),
    !lastPage && txs.length > 0 && link(`${path}?before=${oldest}`, "Older"),
    !lastPage && link(`${path}?after=0`, "Oldest"),
  );
}
