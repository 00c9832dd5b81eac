import { styleText } from "node:util";
import type { NetworkNode } from "@plinth/plugin-cmd-genesis/api";
import { type BlockView, type NodeAnswer, urlOf } from "./ask-node.js";

/** A node as shown in the table. */
export interface NodeView {
  readonly node: NetworkNode;
  /** `undefined` if it does not run. */
  readonly pid: number | undefined;
  /** `undefined` if it does not respond. */
  readonly answer: NodeAnswer | undefined;
}

const HEADINGS = ["Node", "State", "Height", "Peers", "Round", "RPC"];

const STATE_COLUMN = HEADINGS.indexOf("State");
const STATE_COLORS: Readonly<Record<string, "green" | "yellow" | "red">> = {
  up: "green",
  starting: "yellow",
  down: "red",
};

/** A row for each node; its state in color if supported. */
export function formatTable(views: readonly NodeView[], hasColors = false): string {
  const rows = [HEADINGS, ...views.map(toRow)];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((text, column) => {
          const cell = text.padEnd(widths[column] ?? 0);
          const color = column === STATE_COLUMN && hasColors ? STATE_COLORS[text] : undefined;
          return color === undefined ? cell : styleText(color, cell, { validateStream: false });
        })
        .join("  "),
    )
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A line about a block; its producer by name if it is one of the nodes. */
export function formatBlock(block: BlockView, nodes: readonly NetworkNode[]): string {
  const { number, transactions, timestamp, miner, round } = block;
  const maker = nodes.find(({ address }) => address === miner.toLowerCase());
  return [
    `block ${number}`,
    `${transactions} transaction${transactions === 1 ? "" : "s"}`,
    ...(round === undefined ? [] : [`round ${round}`]),
    ...(maker === undefined ? [] : [`by ${maker.name}`]),
    new Date(timestamp * 1000).toISOString().slice(11, 19),
  ].join("  ");
}

function toRow({ node, pid, answer }: NodeView): readonly string[] {
  const state = pid === undefined ? "down" : answer === undefined ? "starting" : "up";
  const { head, peers } = answer ?? {};
  const cells = [head?.number, peers, head?.round].map((value) => String(value ?? "-"));
  return [node.name, state, ...cells, urlOf(node)];
}
