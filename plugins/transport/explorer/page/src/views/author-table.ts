import { type Engine, readMetrics } from "../authorities.js";
import { h } from "../dom.js";
import { count, formatNumber, toHex, toNumber } from "../format.js";
import { addressLink, badge, blockLink } from "../parts/links.js";
import { columns, table } from "../parts/table.js";
import { attempt, call } from "../rpc.js";

const BLOCKS = 100;

/** The validators or signers, and what each has proposed lately. */
export async function authorTable(
  engine: Engine,
  authors: readonly string[],
): Promise<HTMLElement> {
  const head = toNumber(await call<string>("eth_blockNumber"));
  const from = Math.max(1, head - BLOCKS + 1);
  const [metrics, own] = await Promise.all([
    readMetrics(engine, { from: toHex(from), to: toHex(head + 1) }),
    attempt<string>("eth_coinbase"),
  ]);
  const blocks = Math.max(0, head - from + 1);
  const expected = blocks / Math.max(1, authors.length);
  return h(
    "div",
    {},
    h(
      "p",
      { class: "dim" },
      `Proposals in the last ${count(blocks, "block")}. One that proposed less than half of its share is marked.`,
    ),
    table({
      name: `Current ${engine.authors}`,
      columns: columns("Address", "Proposed#", "Last block#", "State"),
      rows: authors.map((address) => {
        const { count: proposed = 0, last } = metrics.get(address.toLowerCase()) ?? {};
        const isSilent = proposed < expected / 2;
        return [
          [addressLink(address, true), address === own?.toLowerCase() && [" ", badge("this node")]],
          formatNumber(proposed),
          last === undefined ? "–" : blockLink(last),
          isSilent ? badge("proposes little", "wait") : badge("proposes", "good"),
        ];
      }),
    }),
  );
}
