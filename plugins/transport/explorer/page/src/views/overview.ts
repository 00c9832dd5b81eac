import type { View, ViewContext } from "../context.js";
import { type Child, h, link, refill } from "../dom.js";
import {
  count,
  formatBytes,
  formatDuration,
  formatGwei,
  formatNumber,
  toHex,
  toNumber,
} from "../format.js";
import { chart } from "../parts/chart.js";
import { badge, blockLink } from "../parts/links.js";
import { problem } from "../parts/problem.js";
import { section } from "../parts/table.js";
import { attempt, CallError, call } from "../rpc.js";
import type { Block, Status, Transaction } from "../types.js";
import { blockTable } from "./blocks.js";
import { transactionTable } from "./transaction-table.js";

const BLOCKS = 60;
const SHOWN = 12;
const MAX_TRANSACTIONS = 12;

/** What happens on the chain now. */
export function overview(context: ViewContext): View {
  const place = h(
    "div",
    { class: "load", "aria-busy": "true" },
    h("p", { class: "dim" }, "Loading…"),
  );
  const latest = new LatestBlocks();
  let isBusy = false;
  const update = async () => {
    // A head during an update is part of the next one.
    if (isBusy) return;
    isBusy = true;
    try {
      const [blocks, facts] = await Promise.all([latest.read(), readFacts()]);
      if (!context.signal.aborted) refill(place, ...(await show(blocks, facts)));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (!context.signal.aborted && place.hasAttribute("aria-busy")) refill(place, problem(error));
    } finally {
      place.removeAttribute("aria-busy");
      isBusy = false;
    }
  };
  void update();
  context.onHead(() => void update());
  return { title: "Overview", content: [place] };
}

/** The latest blocks, of which only new ones are read again. */
class LatestBlocks {
  readonly #known = new Map<number, Block>();

  /** Newest first. */
  async read(): Promise<readonly Block[]> {
    const head = await call<Block>("eth_getBlockByNumber", ["latest", false]);
    const number = toNumber(head.number);
    this.#known.set(number, head);
    this.#dropReorganized(number);
    const wanted = Array.from({ length: Math.min(BLOCKS, number + 1) }, (_, back) => number - back);
    const missing = wanted.filter((each) => !this.#known.has(each));
    const found = await Promise.all(
      missing.map((each) => call<Block | null>("eth_getBlockByNumber", [toHex(each), false])),
    );
    for (const block of found) if (block !== null) this.#known.set(toNumber(block.number), block);
    for (const each of this.#known.keys())
      if (each > number || each <= number - BLOCKS) this.#known.delete(each);
    return wanted.flatMap((each) => this.#known.get(each) ?? []);
  }

  /** Forgets blocks that are not ancestors of the head. */
  #dropReorganized(head: number): void {
    let child = this.#known.get(head);
    for (let number = head - 1; this.#known.has(number); number--) {
      const block = this.#known.get(number);
      if (child !== undefined && block?.hash !== child.parentHash) {
        this.#known.delete(number);
        child = undefined;
      } else if (child === undefined) this.#known.delete(number);
      else child = block;
    }
  }
}

interface Facts {
  readonly status: Status | undefined;
  readonly chainId: string | undefined;
  readonly peers: string | undefined;
  readonly client: string | undefined;
}

async function readFacts(): Promise<Facts> {
  const [status, chainId, peers, client] = await Promise.all([
    attempt<Status>("plinth_status"),
    attempt<string>("eth_chainId"),
    attempt<string>("net_peerCount"),
    attempt<string>("web3_clientVersion"),
  ]);
  return { status, chainId, peers, client };
}

async function show(blocks: readonly Block[], facts: Facts): Promise<readonly Child[]> {
  const [head] = blocks;
  if (head === undefined) return [h("p", {}, "The chain has no blocks.")];
  const oldestFirst = blocks.toReversed();
  return [
    h("div", { class: "cards" }, ...cards(blocks, facts)),
    h(
      "div",
      { class: "charts" },
      timesChart(oldestFirst),
      gasChart(oldestFirst),
      transactionsChart(oldestFirst),
    ),
    section(
      "Latest blocks",
      blockTable(blocks.slice(0, SHOWN), "Latest blocks"),
      h("p", {}, link("blocks", "All blocks")),
    ),
    section("Latest transactions", await latestTransactions(blocks)),
  ];
}

function cards(
  blocks: readonly Block[],
  { status, chainId, peers, client }: Facts,
): readonly Node[] {
  const [head] = blocks;
  const headTime = toNumber(head?.timestamp);
  const seconds = headTime - toNumber(blocks.at(-1)?.timestamp);
  const transactions = blocks
    .slice(0, -1)
    .reduce((sum, block) => sum + block.transactions.length, 0);
  const rate = seconds > 0 ? transactions / seconds : 0;
  const health = status?.health.status;
  const tone = health === "up" ? "good" : health === "down" ? "bad" : "wait";
  const disk = status?.disk;
  return [
    card(
      "Head",
      blockLink(head?.number),
      h(
        "span",
        { "data-time": headTime, class: "dim" },
        `${formatDuration(Math.max(0, Math.round(Date.now() / 1000 - headTime)))} ago`,
      ),
    ),
    card(
      "Block time",
      blocks.length > 1 ? formatDuration(seconds / (blocks.length - 1)) : "–",
      `last ${count(blocks.length, "block")}`,
    ),
    card(
      "Transactions",
      `${Number(rate.toPrecision(2))} /s`,
      `${formatNumber(transactions)} in ${formatDuration(seconds)}`,
    ),
    card(
      "Gas used",
      `${Number(gasShare(blocks).toFixed(1))} %`,
      head?.baseFeePerGas === undefined
        ? "no base fee"
        : `base fee ${formatGwei(head.baseFeePerGas)}`,
    ),
    card(
      "Peers",
      peers === undefined ? "–" : toNumber(peers),
      peers === undefined ? "no network" : status?.sync?.syncing ? "catching up" : "connected",
    ),
    card("Pool", status === undefined ? "–" : link("pool", status.pending), "transactions wait"),
    card(
      "Health",
      health === undefined ? "–" : link("doctor", badge(health, tone)),
      disk === undefined ? "" : `${formatBytes(disk.totalBytes)} on the disk`,
    ),
    card("Chain", chainId === undefined ? "–" : toNumber(chainId), client ?? ""),
  ];
}

function card(title: string, value: Child, note: Child): HTMLElement {
  return h(
    "div",
    { class: "card" },
    h("h2", {}, title),
    h("p", { class: "value" }, value),
    h("p", { class: "dim" }, note),
  );
}

function gasShare(blocks: readonly Block[]): number {
  const used = blocks.reduce((sum, { gasUsed }) => sum + toNumber(gasUsed), 0);
  const limit = blocks.reduce((sum, { gasLimit }) => sum + toNumber(gasLimit), 0);
  return limit === 0 ? 0 : (100 * used) / limit;
}

function timesChart(blocks: readonly Block[]): HTMLElement {
  const bars = blocks.slice(1).map((block, index) => ({
    label: `#${toNumber(block.number)}`,
    value: toNumber(block.timestamp) - toNumber(blocks[index]?.timestamp),
  }));
  const longest = bars.reduce((highest, { value }) => Math.max(highest, value), 0);
  return chart({
    title: "Time between blocks",
    summary: `${count(bars.length, "block")}, at most ${formatDuration(longest)}`,
    bars,
    format: formatDuration,
  });
}

function gasChart(blocks: readonly Block[]): HTMLElement {
  return chart({
    title: "Gas",
    summary: `${Number(gasShare(blocks).toFixed(1))} % of the limit`,
    bars: blocks.map(({ number, gasUsed }) => ({
      label: `#${toNumber(number)}`,
      value: toNumber(gasUsed),
    })),
    format: formatNumber,
  });
}

function transactionsChart(blocks: readonly Block[]): HTMLElement {
  const sum = blocks.reduce((total, { transactions }) => total + transactions.length, 0);
  return chart({
    title: "Transactions per block",
    summary: `${formatNumber(sum)} in ${count(blocks.length, "block")}`,
    bars: blocks.map(({ number, transactions }) => ({
      label: `#${toNumber(number)}`,
      value: transactions.length,
    })),
    format: formatNumber,
  });
}

async function latestTransactions(blocks: readonly Block[]): Promise<Child> {
  const hashes = blocks
    .flatMap(({ transactions }) => transactions.toReversed())
    .slice(0, MAX_TRANSACTIONS);
  if (hashes.length === 0) {
    return h("p", { class: "dim" }, `None in the last ${count(blocks.length, "block")}.`);
  }
  const found = await Promise.all(
    hashes.map((hash) => call<Transaction | null>("eth_getTransactionByHash", [hash])),
  );
  const times = new Map(blocks.map(({ number, timestamp }) => [number, toNumber(timestamp)]));
  return transactionTable(
    found.flatMap((transaction) =>
      transaction === null
        ? []
        : [{ transaction, timestamp: times.get(transaction.blockNumber ?? "") }],
    ),
    "Latest transactions",
  );
}
