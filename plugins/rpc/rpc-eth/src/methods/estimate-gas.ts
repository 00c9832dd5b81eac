import { estimateGas as estimate } from "@plinth/chain";
import { method, type QueryCall, t } from "@plinth/core";
import {
  blockOverrides,
  callRequest,
  differencesOf,
  failureOf,
  gasOfTransaction,
  getHeader,
  stateOverrides,
  toRpcError,
} from "@plinth/kit-rpc";

/** `eth_estimateGas`: how much gas a call needs. */
export const estimateGas = ({
  gasCap,
  tolerance,
  usualBlock,
}: {
  readonly gasCap: number;
  readonly tolerance: number;
  /** The default block. */
  readonly usualBlock: "latest" | "pending";
}) =>
  method({
    offload: "short",
    summary: "Estimates how much gas a call needs.",
    params: {
      call: callRequest,
      block: t.optional(t.blockId, usualBlock),
      stateOverrides: t.optional(stateOverrides),
      blockOverrides: t.optional(blockOverrides),
    },
    result: t.quantity,
    example: {
      params: [{ to: "0x00000000000000000000000000000000000000b0", value: "0x1" }],
      result: "0x5208",
    },
    async handle({ call: request, block, stateOverrides, blockOverrides }, context: QueryCall) {
      const { compatibility } = context;
      const style = { compatibility, isDetailed: true };
      const blocks = context.chain.blocks;
      const header = block === "pending" ? await blocks.next() : getHeader(blocks, block);
      const settings = {
        header,
        gasLimit: gasOfTransaction(blocks, {
          wanted: blockOverrides?.gasLimit,
          header,
          cap: gasCap,
        }),
        rules: differencesOf(compatibility).calls,
        tolerance: differencesOf(compatibility).estimatesExactly ? 0 : tolerance,
        stateOverrides,
        blockOverrides,
      };
      try {
        const found = await estimate(blocks, request, settings);
        if (found.kind === "failed") throw failureOf(found.result, style);
        return found.gas;
      } catch (error) {
        throw toRpcError(error, style);
      }
    },
  });
