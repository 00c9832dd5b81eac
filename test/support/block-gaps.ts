import type { RunningNode } from "./program.js";

/** The longest interval in seconds between two blocks from one on, by their timestamps. */
export async function longestGap(node: RunningNode, first: number): Promise<number> {
  const last = Number(await node.rpc("eth_blockNumber"));
  const times: number[] = [];
  for (let number = first; number <= last; number++) {
    const block = await node.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    times.push(Number(Object(block).timestamp));
  }
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
