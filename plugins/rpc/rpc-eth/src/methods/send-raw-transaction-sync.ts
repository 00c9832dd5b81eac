import { type Call, type Hash, method, RpcError, t } from "@plinth/core";
import { receiptObject, shapes } from "@plinth/kit-rpc";
import type { Arrivals } from "../arrivals.js";
import { RECEIPT_EXAMPLE } from "../examples.js";
import { index } from "../params.js";
import { sendRawTransaction } from "./send-raw-transaction.js";

const DEFAULT_MS = 20_000;
const MAX_MS = 300_000;

/** `eth_sendRawTransactionSync`: sends a signed transaction and waits for its receipt (EIP-7966). */
export const sendRawTransactionSync = (arrivals: Arrivals) =>
  method({
    summary: "Sends a signed transaction and returns its receipt once it is in a block.",
    absentIn: "besu",
    params: { transaction: t.data, timeoutMs: t.optional(index, DEFAULT_MS) },
    result: shapes.receipt,
    example: { params: ["0x02c0"], result: RECEIPT_EXAMPLE },
    async handle({ transaction, timeoutMs }, call: Call) {
      if (timeoutMs > MAX_MS) throw RpcError.invalidParams(`Invalid params: at most ${MAX_MS} ms`);
      const hash = (await sendRawTransaction.handle({ transaction } as never, call)) as Hash;
      const receipt = findReceipt(hash, call);
      if (receipt !== null) return receipt;
      const hasArrived = await arrivals.wait(hash, { timeoutMs, call });
      const arrived = hasArrived ? findReceipt(hash, call) : null;
      if (arrived !== null) return arrived;
      throw new RpcError(
        4,
        `The transaction was added to the pool but is not in a block after ${timeoutMs} ms`,
        hash,
      );
    },
  });

function findReceipt(hash: Hash, call: Call): object | null {
  const blocks = call.chain.blocks;
  const place = blocks.findTransaction(hash);
  const block = place && blocks.findBlock(place.blockHash);
  const receipts = place && blocks.findReceipts(place.blockHash);
  if (place === undefined || block === undefined || receipts === undefined) return null;
  const blobFee = blocks.blobFeeAt(block.header);
  const { compatibility } = call;
  return receiptObject({ block, receipts, blobFee, compatibility }, place.index);
}
