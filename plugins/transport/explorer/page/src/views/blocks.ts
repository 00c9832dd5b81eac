import type { View, ViewContext } from "../context.js";
import { type Child, h, link } from "../dom.js";
import { formatNumber, formatUnits, toBig, toHex, toNumber } from "../format.js";
import { addressLink, age, blockLink, hexText } from "../parts/links.js";
import { load } from "../parts/load.js";
import { columns, table } from "../parts/table.js";
import { call } from "../rpc.js";
import type { Block } from "../types.js";

const PAGE = 25;

/** The blocks of the chain, a page at a time. */
export function blocksView({ query }: ViewContext): View {
  return { title: "Blocks", content: [load(() => readPage(query.get("from")))] };
}

/** A table of blocks. */
export function blockTable(blocks: readonly Block[], name: string): HTMLElement {
  return table({
    name,
    columns: columns(
      "Number#",
      "Age",
      "Transactions#",
      "Gas used#",
      "Base fee (gwei)#",
      "Producer",
      "Size#",
      "Hash",
    ),
    rows: blocks.map((block) => [
      blockLink(block.number),
      age(toNumber(block.timestamp)),
      formatNumber(block.transactions.length),
      gauge(block),
      block.baseFeePerGas === undefined ? "" : formatUnits(toBig(block.baseFeePerGas), 9),
      addressLink(block.miner),
      formatNumber(toNumber(block.size)),
      hexText(block.hash),
    ]),
  });
}

async function readPage(from: string | null): Promise<Child> {
  const head = toNumber(await call<string>("eth_blockNumber"));
  const first = from === null || !/^\d{1,15}$/.test(from) ? head : Math.min(head, Number(from));
  const numbers = Array.from({ length: Math.min(PAGE, first + 1) }, (_, back) => first - back);
  const blocks = await Promise.all(
    numbers.map((number) => call<Block | null>("eth_getBlockByNumber", [toHex(number), false])),
  );
  return [
    pager(first, head),
    blockTable(
      blocks.filter((block) => block !== null),
      "Blocks",
    ),
    pager(first, head),
  ];
}

function pager(first: number, head: number): HTMLElement {
  return h(
    "p",
    { class: "pager" },
    first < head && link("blocks", "Newest"),
    first < head && link(`blocks?from=${Math.min(head, first + PAGE)}`, "Newer"),
    first >= PAGE && link(`blocks?from=${first - PAGE}`, "Older"),
    first >= PAGE && link(`blocks?from=${PAGE - 1}`, "Oldest"),
  );
}

function gauge({ gasUsed, gasLimit }: Block): Child {
  const used = toNumber(gasUsed);
  const limit = toNumber(gasLimit);
  const percent = limit === 0 ? 0 : (100 * used) / limit;
  return [
    h("span", { title: `${percent.toFixed(1)} % of ${formatNumber(limit)}` }, formatNumber(used)),
    h("meter", { min: 0, max: 100, value: percent.toFixed(2), "aria-hidden": "true" }),
  ];
}
