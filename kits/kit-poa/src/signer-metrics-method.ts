import {
  type BlockNumberOrTag,
  type BlockReader,
  type Call,
  type Method,
  method,
  RpcError,
  t,
} from "@plinth/core";
import { type MeasuredChain, measureSigners } from "./signer-metrics.js";

const INVALID = "Invalid block number params";
/** Default number of measured blocks. */
const DEFAULT_BLOCKS = 100n;

const metrics = t.object({
  address: t.address,
  proposedBlockCount: t.quantity,
  lastProposedBlockNumber: t.quantity,
});

/** `…_getSignerMetrics`: the number of blocks each signer produced. */
export function signerMetrics<C extends Call>(
  engineOf: (call: C) => Pick<MeasuredChain, "author" | "membersAfter">,
): Method<C> {
  return method({
    summary: "Counts the blocks of each signer in a range, by default the last 100 blocks.",
    params: {
      from: t.optional(t.withText(t.blockNumber, INVALID)),
      to: t.optional(t.withText(t.blockNumber, INVALID)),
    },
    result: t.array(metrics),
    example: {
      params: ["0x1", "0x2"],
      result: [
        {
          address: `0x${"ab".repeat(20)}`,
          proposedBlockCount: "0x2",
          lastProposedBlockNumber: "0x2",
        },
      ],
    },
    handle(params, call: C) {
      const { blocks } = call.chain;
      const range = findRange(params, call);
      const findHeader = (number: bigint) => blocks.findHeader(number);
      return measureSigners(range, { ...engineOf(call), findHeader }, call.client.closed);
    },
  });
}

/** Besu excludes the last block, and rejects a range of one. */
function findRange(
  params: {
    readonly from: BlockNumberOrTag | undefined;
    readonly to: BlockNumberOrTag | undefined;
  },
  { chain: { blocks }, compatibility: { mode } }: Call,
): { readonly from: bigint; readonly to: bigint } {
  const head = blocks.head().number;
  const isBesu = mode === "besu";
  // If the last block is excluded, there are as many before it.
  const end = isBesu ? head : head + 1n;
  const first = end > DEFAULT_BLOCKS ? end - DEFAULT_BLOCKS : 0n;
  const from = params.from === undefined ? first : numberOf(params.from, blocks, isBesu);
  const to = params.to === undefined ? head : numberOf(params.to, blocks, isBesu);
  const last = (to < head ? to : head) - (isBesu ? 1n : 0n);
  if (from < 0n || from > last) throw RpcError.invalidParams(INVALID);
  return { from, to: last };
}

function numberOf(id: BlockNumberOrTag, blocks: BlockReader, isBesu: boolean): bigint {
  if (typeof id === "bigint") return id;
  if (id === "earliest") return 0n;
  if (id === "latest" || id === "pending") return blocks.head().number;
  if (isBesu) throw RpcError.internal();
  const final = blocks.finalized();
  if (final === undefined) throw new RpcError(-39001, "Unknown block");
  return final.number;
}
