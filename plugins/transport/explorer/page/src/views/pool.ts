import type { View, ViewContext } from "../context.js";
import { type Child, h, refill } from "../dom.js";
import {
  count,
  formatDuration,
  formatGwei,
  formatNumber,
  formatUnits,
  toBig,
  toNumber,
} from "../format.js";
import { addressLink, transactionLink } from "../parts/links.js";
import { problem } from "../parts/problem.js";
import { columns, table } from "../parts/table.js";
import { attempt, CallError, call } from "../rpc.js";
import type { Transaction } from "../types.js";
import { readExplanation, stateBadge } from "./explanation.js";
import { methodName } from "./transaction-table.js";

const MAX_SHOWN = 200;
/** Transactions whose wait is explained. */
const MAX_EXPLAINED = 50;

/** When and how a transaction entered the pool. */
interface Arrival {
  readonly hash: string;
  readonly isReceivedFromLocalSource: boolean;
  readonly addedToPoolAt: string;
}

/** The transactions that wait, and what for. */
export function poolView(context: ViewContext): View {
  const place = h("div", { "aria-busy": "true" }, h("p", { class: "dim" }, "Loading…"));
  const update = async () => {
    try {
      const content = await readPool();
      if (!context.signal.aborted) refill(place, content);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (!context.signal.aborted) refill(place, problem(error));
    }
    place.removeAttribute("aria-busy");
  };
  context.onHead(update);
  void update();
  return {
    title: "Pool",
    content: [
      h(
        "p",
        { class: "dim" },
        "Transactions that this node has accepted and that are in no block yet. Search a hash to learn what became of a transaction that is not here.",
      ),
      place,
    ],
  };
}

async function readPool(): Promise<Child> {
  const [transactions, arrivals] = await Promise.all([
    call<readonly Transaction[]>("txpool_besuPendingTransactions", [MAX_SHOWN]),
    attempt<readonly Arrival[]>("txpool_besuTransactions"),
  ]);
  if (transactions.length === 0) return h("p", {}, "No transaction waits.");
  const reasons = await Promise.all(
    transactions.slice(0, MAX_EXPLAINED).map(({ hash }) => explain(hash)),
  );
  const times = new Map(arrivals?.map((each) => [each.hash, each]));
  const all = arrivals?.length ?? transactions.length;
  return [
    h(
      "p",
      {},
      count(all, "transaction"),
      all > transactions.length && `; ${MAX_SHOWN} of them are shown`,
      ".",
    ),
    table({
      name: "Transactions in the pool",
      columns: columns(
        "Hash",
        "State",
        "Why it is not mined",
        "From",
        "Nonce#",
        "To",
        "Method",
        "Ether#",
        "Pays (gwei)#",
        "Waits#",
        "Origin",
      ),
      rows: transactions.map((transaction, index) =>
        row(transaction, times.get(transaction.hash), reasons[index] ?? []),
      ),
    }),
  ];
}

function row(
  transaction: Transaction,
  arrival: Arrival | undefined,
  reason: readonly Child[],
): readonly Child[] {
  const seconds =
    arrival === undefined ? undefined : (Date.now() - Date.parse(arrival.addedToPoolAt)) / 1000;
  return [
    transactionLink(transaction.hash),
    reason[0],
    h("div", { class: "cell wide" }, reason[1]),
    addressLink(transaction.from),
    formatNumber(toNumber(transaction.nonce)),
    addressLink(transaction.to),
    h("span", { class: "method" }, methodName(transaction)),
    formatUnits(toBig(transaction.value)),
    h(
      "span",
      {},
      formatGwei(transaction.maxFeePerGas ?? transaction.gasPrice).replace(" gwei", ""),
    ),
    seconds === undefined || Number.isNaN(seconds) ? "" : formatDuration(seconds),
    arrival === undefined ? "" : arrival.isReceivedFromLocalSource ? "this node" : "a peer",
  ];
}

async function explain(hash: string): Promise<readonly Child[]> {
  try {
    const { state, message } = await readExplanation(hash);
    return [stateBadge(state), message];
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return ["", h("span", { class: "dim" }, error.message)];
  }
}
