import { type Address, type Hash, type Hex, RpcError, Yielder } from "@plinth/core";
import { FieldProblem } from "../answers/field-problem.js";
import type { BlockView } from "../views/block.js";
import type { RequestContext } from "./context.js";
import { type FilterCriteria, findLogs } from "./logs.js";

/** Maximum number of blocks in one list. */
const MAX_BLOCKS = 5000n;

type Given<T> = T | null | undefined;

/** The root fields of queries. */
export const Query = {
  block(
    _: unknown,
    { number, hash }: { number?: Given<Hex>; hash?: Given<Hash> },
    { reader }: RequestContext,
  ): BlockView {
    const isByNumber = typeof number === "string";
    if (isByNumber && typeof hash === "string") throw RpcError.invalidParams();
    if (isByNumber) return reader.getBlock(BigInt(number));
    return typeof hash === "string" ? reader.getBlock(hash) : reader.blockOf(reader.head);
  },

  async blocks(
    _: unknown,
    { from, to }: { from?: Given<Hex>; to?: Given<Hex> },
    { reader }: RequestContext,
  ): Promise<readonly BlockView[]> {
    const last = reader.head.number;
    const end = BigInt(to ?? last);
    const first = typeof from === "string" ? BigInt(from) : end + 1n;
    if (first > end || end - first >= MAX_BLOCKS) throw RpcError.invalidParams();
    const { budget } = reader.context;
    const found: BlockView[] = [];
    const turns = new Yielder();
    for (let number = first; number <= end && number <= last; number++) {
      if (budget.end !== undefined) break;
      const block = reader.findBlock(number);
      if (block !== undefined) found.push(block);
      await turns.yield();
    }
    return found;
  },

  // It has no data: its fields read the pool and the head block.
  pending: () => ({}),

  transaction: (_: unknown, { hash }: { hash: Hash }, { reader }: RequestContext) =>
    reader.findTransaction(hash),

  logs: (_: unknown, { filter }: { filter: FilterCriteria }, { reader }: RequestContext) =>
    findLogs(reader, filter),

  gasPrice: (_: unknown, __: unknown, { reader }: RequestContext) => reader.gasPrice,

  maxPriorityFeePerGas: (_: unknown, __: unknown, { reader }: RequestContext) => reader.priorityFee,

  syncing(_: unknown, __: unknown, { sync: { progress } }: RequestContext) {
    if (progress?.syncing !== true) return null;
    const { starting, current, highest } = progress;
    return { startingBlock: starting, currentBlock: current, highestBlock: highest };
  },

  protocolVersion(_: unknown, __: unknown, { network }: RequestContext): number | null {
    const versions = network.protocols.filter(({ name }) => name === "eth");
    return versions.length === 0 ? null : Math.max(...versions.map(({ version }) => version));
  },

  chainID(_: unknown, __: unknown, { chain }: RequestContext): bigint {
    if (chain.chainId !== undefined) return chain.chainId;
    throw new FieldProblem("the genesis file has no chain id");
  },

  account(
    _: unknown,
    { address, blockNumber }: { address: Address; blockNumber?: Given<Hex> },
    { reader }: RequestContext,
  ) {
    const isBeyond = typeof blockNumber === "string" && BigInt(blockNumber) > reader.head.number;
    if (isBeyond) throw RpcError.invalidParams();
    return reader.accountAt(address, blockNumber, reader.head);
  },
};
