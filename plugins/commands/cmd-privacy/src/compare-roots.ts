import { t, toQuantity } from "@plinth/core";
import type { NodeLink } from "./node-link.js";

/** The private state roots of a group at two nodes. */
export interface ComparedRoots {
  readonly isEqual: boolean;
  readonly line: string;
}

/**
 * Compares the private state roots of a group at two nodes, by JSON-RPC methods that Besu has, too.
 *
 * Once states differ they stay different, so the first block is found by binary search.
 */
export async function compareRoots(
  own: Pick<NodeLink, "ask" | "url">,
  member: Pick<NodeLink, "ask" | "url">,
  group: string,
): Promise<ComparedRoots> {
  const heights = await Promise.all(
    [own, member].map((node) => node.ask("eth_blockNumber", t.quantity)),
  );
  const head = heights.reduce((a, b) => (a < b ? a : b));
  const isEqualAt = async (number: bigint) => {
    const params = [group, toQuantity(number)];
    const [ours, theirs] = await Promise.all(
      [own, member].map((node) => node.ask("priv_debugGetStateRoot", t.hash, params)),
    );
    return ours === theirs;
  };
  if (await isEqualAt(head)) {
    return { isEqual: true, line: `${member.url}: equal up to block ${head}` };
  }
  let [equal, different] = [-1n, head];
  while (different - equal > 1n) {
    const middle = (equal + different) / 2n;
    if (await isEqualAt(middle)) equal = middle;
    else different = middle;
  }
  return { isEqual: false, line: `${member.url}: different from block ${different} on` };
}
