import { readBftExtra } from "../bft-extra.js";
import type { View, ViewContext } from "../context.js";
import { type Child, fill, h, link } from "../dom.js";
import { formatBytes, formatGwei, formatNumber, formatTime, toHex, toNumber } from "../format.js";
import { addressLink, age, hexText } from "../parts/links.js";
import { onDemand } from "../parts/load.js";
import { facts, section } from "../parts/table.js";
import { attempt, call } from "../rpc.js";
import type { Block, Receipt, Transaction } from "../types.js";
import { transactionTable } from "./transaction-table.js";

const PAGE = 50;
const TAGS = ["latest", "earliest", "pending", "safe", "finalized"];

/** A block by its number, tag or hash. */
export async function blockView(context: ViewContext): Promise<View> {
  const [id = "latest"] = context.path;
  const block = await findBlock(id);
  if (block === null) {
    return {
      title: "Block not found",
      content: [
        h("p", {}, `This node has no block ${id}. It may not exist yet, or it has left the chain.`),
      ],
    };
  }
  const number = toNumber(block.number);
  const warning = h("div", { role: "status" });
  watch(context, block, warning);
  const page = Number(context.query.get("page") ?? 0);
  return {
    title: `Block ${formatNumber(number)}`,
    content: [
      warning,
      h(
        "p",
        { class: "pager" },
        number > 0 && link(`block/${number - 1}`, "Previous"),
        link(`block/${number + 1}`, "Next"),
      ),
      blockFacts(block),
      section(
        `${formatNumber(block.transactions.length)} transactions`,
        await transactions(block, Number.isSafeInteger(page) && page > 0 ? page : 0),
      ),
      onDemand("Raw block", async () =>
        h("pre", { tabindex: 0 }, JSON.stringify(block, undefined, 2)),
      ),
    ],
  };
}

function findBlock(id: string): Promise<Block<Transaction> | null> {
  if (/^0x[0-9a-f]{64}$/i.test(id)) return call("eth_getBlockByHash", [id, true]);
  const number = /^\d{1,18}$/.test(id) ? toHex(BigInt(id)) : TAGS.includes(id) ? id : "latest";
  return call("eth_getBlockByNumber", [number, true]);
}

/** Says so if the block leaves the chain while it is shown. */
function watch(context: ViewContext, block: Block<Transaction>, warning: HTMLElement): void {
  context.onHead(async ({ number }) => {
    if (toNumber(number) - toNumber(block.number) > 100) return;
    const current = await attempt<Block | null>("eth_getBlockByNumber", [block.number, false]);
    if (context.signal.aborted || current === undefined || current?.hash === block.hash) return;
    const other =
      current === null ? undefined : link(`block/${current.hash}`, "the block in its place");
    fill(
      warning,
      h(
        "p",
        { class: "notice problem" },
        "This block has left the chain",
        other === undefined ? "" : ": see ",
        other,
        ".",
      ),
    );
  });
}

function blockFacts(block: Block<Transaction>): HTMLElement {
  const timestamp = toNumber(block.timestamp);
  const bft = readBftExtra(block.extraData);
  const gasUsed = toNumber(block.gasUsed);
  const gasLimit = toNumber(block.gasLimit);
  return facts([
    ["Hash", h("code", { class: "whole" }, block.hash)],
    [
      "Parent",
      h(
        "span",
        {},
        link(`block/${block.parentHash}`, h("code", { class: "whole" }, block.parentHash)),
      ),
    ],
    ["Time", [formatTime(timestamp), " · ", age(timestamp)]],
    ["Producer", addressLink(block.miner, true)],
    [
      "Gas",
      `${formatNumber(gasUsed)} of ${formatNumber(gasLimit)} (${gasLimit === 0 ? 0 : ((100 * gasUsed) / gasLimit).toFixed(1)} %)`,
    ],
    block.baseFeePerGas !== undefined && ["Base fee", formatGwei(block.baseFeePerGas)],
    ["Size", formatBytes(toNumber(block.size))],
    bft !== undefined && [
      "Round",
      bft.round === 0 ? "0: the first proposer" : `${bft.round}: ${bft.round} round changes`,
    ],
    bft !== undefined &&
      bft.validators.length > 0 && [
        "Validators",
        h(
          "ul",
          { class: "plain" },
          ...bft.validators.map((each) => h("li", {}, addressLink(each, true))),
        ),
      ],
    bft !== undefined && ["Commit seals", bft.seals],
    bft?.vote !== undefined && [
      "Vote",
      [bft.vote.isFor ? "to add " : "to remove ", addressLink(bft.vote.recipient, true)],
    ],
    ["State root", hexText(block.stateRoot, 66)],
    ["Receipts root", hexText(block.receiptsRoot, 66)],
    ["Extra data", hexText(block.extraData, 60, 10)],
    ["Difficulty, nonce", `${formatNumber(toNumber(block.difficulty))}, ${block.nonce}`],
    block.uncles !== undefined &&
      block.uncles.length > 0 && [
        "Uncles",
        block.uncles.map((uncle) => h("p", {}, h("code", { class: "whole" }, uncle))),
      ],
    block.withdrawals !== undefined &&
      block.withdrawals.length > 0 && ["Withdrawals", formatNumber(block.withdrawals.length)],
  ]);
}

async function transactions(block: Block<Transaction>, page: number): Promise<Child> {
  const shown = block.transactions.slice(page * PAGE, (page + 1) * PAGE);
  if (shown.length === 0) return h("p", { class: "dim" }, "The block has no transactions.");
  const receipts = await attempt<readonly Receipt[] | null>("eth_getBlockReceipts", [block.hash]);
  const byHash = new Map(receipts?.map((receipt) => [receipt.transactionHash, receipt]));
  const number = toNumber(block.number);
  const isMore = block.transactions.length > (page + 1) * PAGE;
  return [
    transactionTable(
      shown.map((transaction) => ({ transaction, receipt: byHash.get(transaction.hash) })),
      `Transactions of block ${number}`,
    ),
    h(
      "p",
      { class: "pager" },
      page > 0 && link(`block/${number}?page=${page - 1}`, "Previous page"),
      isMore && link(`block/${number}?page=${page + 1}`, "Next page"),
    ),
  ];
}
