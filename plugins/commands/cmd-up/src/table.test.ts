import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { formatBlock, formatTable } from "./table.js";

const node = (number: number) => ({
  name: `node${number}`,
  address: `0x${String(number).repeat(40)}` as const,
  enode: "enode://",
  rpcPort: 8544 + number,
  p2pPort: 9544 + number,
  isValidator: true,
});
const block = { number: 12, transactions: 1, timestamp: 1_700_000_000, miner: "0x", round: 0 };

describe("the view of a network", () => {
  it("is a table of its nodes", () => {
    const table = formatTable([
      { node: node(1), pid: 7, answer: { head: block, peers: 3 } },
      { node: node(2), pid: 8, answer: undefined },
      { node: node(3), pid: undefined, answer: undefined },
    ]);

    expect(table.split("\n")).toEqual([
      "Node   State     Height  Peers  Round  RPC",
      "node1  up        12      3      0      http://127.0.0.1:8545",
      "node2  starting  -       -      -      http://127.0.0.1:8546",
      "node3  down      -       -      -      http://127.0.0.1:8547",
    ]);
  });

  it("colors the states, without changing its width, if colors are supported", () => {
    const views = [
      { node: node(1), pid: 7, answer: { head: block, peers: 3 } },
      { node: node(2), pid: undefined, answer: undefined },
    ];
    const table = formatTable(views, true);

    expect(table).toContain("node1  \u001b[32mup   \u001b[39m  12");
    expect(table).toContain("node2  \u001b[31mdown \u001b[39m  -");
    expect(stripVTControlCharacters(table)).toBe(formatTable(views));
  });

  it.each([
    [block, "block 12  1 transaction  round 0  22:13:20"],
    [
      { ...block, miner: node(2).address, transactions: 0, round: undefined },
      "block 12  0 transactions  by node2  22:13:20",
    ],
  ])("is a line for each block", (view, line) => {
    expect(formatBlock(view, [node(1), node(2)])).toBe(line);
  });
});
