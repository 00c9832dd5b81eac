import { type BlockReader, type Call, type Codec, method, RpcError, t, toHex } from "@plinth/core";
import type { CallRequest } from "@plinth/core/query";
import {
  callRequest,
  differencesOf,
  failureOf,
  gasOfTransaction,
  type PriceSample,
  pendingObject,
  suggestPriorityFee,
  toRpcError,
} from "@plinth/kit-rpc";
import { toUnsignedTransaction } from "../simulation/unsigned-transaction.js";

type Request = CallRequest & { readonly nonce: bigint | undefined };

const nonceField = t.object({ nonce: t.optional(t.uint64) });

/** A call, and the nonce of its transaction. */
const request: Codec<Request> = t.withText<Request>(
  {
    decode(json, path = "", reading) {
      const call = callRequest.decode(json, path, reading);
      return { ...call, nonce: nonceField.decode(json, path).nonce };
    },
    encode: callRequest.encode,
    schema: callRequest.schema,
  },
  "Invalid transaction params (missing or incorrect)",
);

/** Dependencies for filling in defaults. */
export interface FillSettings {
  readonly gasCap: number;
  readonly tolerance: number;
  readonly sample: PriceSample;
}

/** `eth_fillTransaction`: a complete transaction, ready to be signed. */
export const fillTransaction = (settings: FillSettings) =>
  method({
    summary: "Fills in the missing fields of a transaction: nonce, gas and fees.",
    absentIn: "besu",
    params: { transaction: request },
    result: t.json,
    example: {
      params: [
        {
          from: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
          to: "0x00000000000000000000000000000000000000b0",
        },
      ],
      result: { raw: "0x02c0", tx: { nonce: "0x0" } },
    },
    async handle({ transaction: given }, context: Call) {
      const { compatibility, chain, pool } = context;
      const { from } = given;
      if (from === undefined) {
        throw RpcError.invalidParams("Invalid transaction params (missing or incorrect)");
      }
      const gasLimit = given.gas ?? (await findGas(given, context, settings));
      const transaction = toUnsignedTransaction(
        { ...given, ...feesOf(given, context.chain.blocks, settings) },
        {
          chainId: chain.chainId ?? 1n,
          from,
          nonce: given.nonce ?? pool.nextNonce(from),
          gasLimit,
        },
      );
      return { raw: toHex(transaction.raw), tx: pendingObject(transaction, compatibility) };
    },
  });

async function findGas(
  request: Request,
  context: Call,
  { gasCap, tolerance }: FillSettings,
): Promise<bigint> {
  const { compatibility } = context;
  const style = { compatibility, isDetailed: true };
  const blocks = context.chain.blocks;
  const header = blocks.head();
  const gasLimit = gasOfTransaction(blocks, { wanted: undefined, header, cap: gasCap });
  const settings = { header, gasLimit, rules: differencesOf(compatibility).calls, tolerance };
  try {
    const found = await context.query.estimateGas(request, settings, context.client);
    if (found.kind === "failed") throw failureOf(found.result, style);
    return found.gas;
  } catch (error) {
    throw toRpcError(error, style);
  }
}

function feesOf(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Request,
  blocks: BlockReader,
  { sample }: FillSettings,
) {
  const head = blocks.head();
  if (gasPrice !== undefined || head.baseFeePerGas === undefined) {
    return { gasPrice: gasPrice ?? 0n };
  }
  const tip = maxPriorityFeePerGas ?? suggestPriorityFee(blocks, sample);
  return {
    maxFeePerGas: maxFeePerGas ?? (blocks.baseFeeAfter(head) ?? 0n) * 2n + tip,
    maxPriorityFeePerGas: tip,
  };
}
