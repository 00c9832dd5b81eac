import { type Address, type SealedHeader, Yielder } from "@plinth/core";

/**
 * Number of blocks of a range that an account produced, and the last of them; 0 and 0 if it
 * produced none.
 */
export interface SignerMetrics {
  readonly address: Address;
  readonly proposedBlockCount: bigint;
  readonly lastProposedBlockNumber: bigint;
}

/** The sources of metrics. */
export interface MeasuredChain {
  /** The canonical header with a number. */
  findHeader(number: bigint): SealedHeader | undefined;
  author(header: SealedHeader): Address;
  /** The authorities after a block. */
  membersAfter(header: SealedHeader): readonly Address[] | Promise<readonly Address[]>;
}

/**
 * The signers of a range of blocks, inclusive, and the members at its end that produced none of
 * them.
 *
 * Long ranges yield to the event loop; the signal aborts them.
 */
export async function measureSigners(
  { from, to }: { readonly from: bigint; readonly to: bigint },
  chain: MeasuredChain,
  signal?: AbortSignal,
): Promise<readonly SignerMetrics[]> {
  const metrics = new Map<Address, SignerMetrics>();
  const yielder = new Yielder();
  let last: SealedHeader | undefined;
  for (let number = from; number <= to; number++) {
    signal?.throwIfAborted();
    await yielder.yield();
    const header = chain.findHeader(number);
    if (header === undefined) continue;
    last = header;
    const address = chain.author(header);
    const proposedBlockCount = (metrics.get(address)?.proposedBlockCount ?? 0n) + 1n;
    metrics.set(address, { address, proposedBlockCount, lastProposedBlockNumber: number });
  }
  for (const address of last === undefined ? [] : await chain.membersAfter(last)) {
    if (metrics.has(address)) continue;
    metrics.set(address, { address, proposedBlockCount: 0n, lastProposedBlockNumber: 0n });
  }
  return [...metrics.values()];
}
