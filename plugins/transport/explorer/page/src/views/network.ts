import { engineProblem, findEngine } from "../authorities.js";
import { readBftExtra } from "../bft-extra.js";
import type { View, ViewContext } from "../context.js";
import { type Child, h, refill } from "../dom.js";
import { count, toHex, toNumber } from "../format.js";
import { chart } from "../parts/chart.js";
import { addressLink, age, badge, blockLink } from "../parts/links.js";
import { load } from "../parts/load.js";
import { problem } from "../parts/problem.js";
import { columns, section, table } from "../parts/table.js";
import { call } from "../rpc.js";
import type { Block } from "../types.js";
import { authorTable } from "./author-table.js";
import { peerTable, permissionLists } from "./peers.js";
import { votePart } from "./votes.js";

const BLOCKS = 60;

/** Who produces the blocks, who is connected, and who may be. */
export function networkView(context: ViewContext): View {
  const rounds = h("div", {});
  const update = async () => {
    const content = await readRounds().catch((error: unknown) => problem(error));
    if (!context.signal.aborted) refill(rounds, content);
  };
  context.onHead(update);
  void update();
  return {
    title: "Network",
    content: [
      load(() => authorities(context)),
      section("Rounds and round changes", rounds),
      section("Peers", load(peerTable)),
      section("Permissions", load(permissionLists)),
    ],
  };
}

async function authorities(context: ViewContext): Promise<Child> {
  const found = await findEngine();
  if (found === undefined) {
    const error = await engineProblem();
    return section(
      "Validators",
      h(
        "p",
        { class: "dim" },
        "This chain has neither QBFT nor IBFT 2.0 nor Clique, or this listener does not offer their methods.",
      ),
      error === undefined ? undefined : problem(error),
    );
  }
  const { engine, authors } = found;
  return [
    section(
      `${engine.title}: ${count(authors.length, engine.authors.slice(0, -1))}`,
      await authorTable(engine, authors),
    ),
    section("Votes", await votePart(context, { engine, authors })),
  ];
}

async function readRounds(): Promise<Child> {
  const head = toNumber(await call<string>("eth_blockNumber"));
  const numbers = Array.from({ length: Math.min(BLOCKS, head + 1) }, (_, back) => head - back);
  const found = await Promise.all(
    numbers.map((number) => call<Block | null>("eth_getBlockByNumber", [toHex(number), false])),
  );
  const blocks = found.flatMap((block) => {
    const bft = block === null ? undefined : readBftExtra(block.extraData);
    return block === null || bft === undefined ? [] : [{ block, bft }];
  });
  if (blocks.length === 0)
    return h("p", { class: "dim" }, "The blocks of this chain have no rounds.");
  const changed = blocks.filter(({ bft }) => bft.round > 0);
  if (changed.length === 0) {
    return h(
      "p",
      {},
      `None in the last ${count(blocks.length, "block")}: every first proposer was in time.`,
    );
  }
  return [
    chart({
      title: "Rounds",
      summary: `${count(changed.length, "block")} of ${blocks.length} needed a round change`,
      bars: blocks
        .toReversed()
        .map(({ block, bft }) => ({ label: `#${toNumber(block.number)}`, value: bft.round })),
      format: (round) => (round < 1 ? "0" : `round ${round}`),
    }),
    table({
      name: "Blocks with round changes",
      columns: columns("Block#", "Age", "Round#", "Proposer", "Seals#"),
      rows: changed.map(({ block, bft }) => [
        blockLink(block.number),
        age(toNumber(block.timestamp)),
        badge(String(bft.round), "wait"),
        addressLink(block.miner),
        bft.seals,
      ]),
    }),
  ];
}
