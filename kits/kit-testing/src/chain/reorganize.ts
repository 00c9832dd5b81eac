import { hexToBytes, type SealedHeader, type Transaction } from "@plinth/core";
import { decodeTransaction } from "@plinth/core/blocks";
import type { Node } from "@plinth/node";
import { ALICE } from "./accounts.js";
import { signTransaction, type TransactionFields } from "./dev-chain.js";

/** Replaces the last blocks by more other blocks. */
export type Reorganize = (
  depth: number,
  ...blocks: readonly (readonly TransactionFields[])[]
) => Promise<readonly SealedHeader[]>;

/**
 * Builds a longer branch beside the last `depth` blocks; the reorganization happens with its last
 * block.
 */
export async function reorganize(
  { blocks: chain }: Node,
  depth: number,
  blocks: readonly (readonly TransactionFields[])[],
): Promise<readonly SealedHeader[]> {
  const branch = blocks.length === 0 ? Array.from({ length: depth + 1 }, () => []) : blocks;
  if (branch.length <= depth) {
    throw new RangeError(
      `reorganize: ${branch.length} blocks do not replace ${depth}; expected at least ${depth + 1}`,
    );
  }
  const number = chain.head().number - BigInt(depth);
  let parent = number < 0n ? undefined : chain.findHeader(number);
  if (parent === undefined) {
    throw new RangeError(
      `reorganize: the chain has ${chain.head().number} blocks after genesis, not ${depth}`,
    );
  }
  const headers: SealedHeader[] = [];
  // Later than every block so far: one with the time of a block that it replaces could be the same
  // block.
  let timestamp = chain.head().timestamp + 1n;
  for (const transactions of branch) {
    const candidates = await signAll(chain.stateAt(parent), transactions);
    const built = await chain.build({ parent, timestamp, candidates });
    timestamp += 1n;
    if (built.block.body.transactions.length < candidates.length) {
      throw new Error(`reorganize: a transaction cannot be in block ${built.block.header.number}`);
    }
    const { block } = await chain.submit(built);
    parent = block.header;
    headers.push(parent);
  }
  return headers;
}

async function signAll(
  state: { findAccount(address: `0x${string}`): { readonly nonce: bigint } | undefined },
  transactions: readonly TransactionFields[],
): Promise<readonly Transaction[]> {
  const next = new Map<string, number>();
  const signed: Transaction[] = [];
  for (const fields of transactions) {
    const { address } = fields.from ?? ALICE;
    const nonce = next.get(address) ?? Number(state.findAccount(address)?.nonce ?? 0n);
    next.set(address, nonce + 1);
    signed.push(decodeTransaction(hexToBytes(await signTransaction({ nonce, ...fields }))));
  }
  return signed;
}
