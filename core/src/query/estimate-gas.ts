import type { SealedHeader } from "../blocks/header.js";
import type { Blockchain } from "../chain/blockchain.js";
import type { EvmResult } from "../evm/evm.js";
import { type CallRequest, ImpossibleCall, simulateCall } from "./call.js";

/** Gas that a call with value hands over for free, and that an SSTORE wants to have left. */
const STIPEND = 2300n;
/** The search ends when the answer is known this well: 1.5 percent. */
const TOLERANCE = { numerator: 15n, denominator: 1000n };

/** An estimate, or how the call failed with all the gas there is. */
export type Estimate =
  | { readonly kind: "enough"; readonly gas: bigint }
  | { readonly kind: "failed"; readonly result: EvmResult };

/** Finds how much gas a call needs: what it used if that suffices, else by halving the range. */
export async function estimateGas(
  blocks: Blockchain,
  request: CallRequest,
  { header, gasLimit }: { readonly header: SealedHeader; readonly gasLimit: bigint },
): Promise<Estimate> {
  const payable = raiseFee(request, header);
  const run = (gas: bigint) => simulateCall(blocks, payable, { header, gasLimit: gas });
  const succeeds = async (gas: bigint) => {
    try {
      return (await run(gas)).outcome === "success";
    } catch (error) {
      // Less than a call costs before it runs: just not enough.
      if (error instanceof ImpossibleCall && error.reason === "intrinsic-gas") return false;
      throw error;
    }
  };
  const first = await run(gasLimit);
  if (first.outcome !== "success") return { kind: "failed", result: first };
  if (await succeeds(first.gasUsed)) return { kind: "enough", gas: first.gasUsed };
  let low = first.gasUsed;
  let high = gasLimit;
  const likely = ((first.gasUsed + STIPEND) * 64n) / 63n;
  if (likely < high && (await succeeds(likely))) high = likely;
  while ((high - low) * TOLERANCE.denominator > high * TOLERANCE.numerator) {
    const middle = (low + high) / 2n;
    if (await succeeds(middle)) high = middle;
    else low = middle;
  }
  return { kind: "enough", gas: high };
}

/** Gas does not depend on what is paid for it, so that an offer below the base fee is no reason to refuse. */
function raiseFee(request: CallRequest, { baseFeePerGas = 0n }: SealedHeader): CallRequest {
  const { gasPrice, maxFeePerGas, strict } = request;
  if (strict) return request;
  const raise = (fee: bigint | undefined) =>
    fee !== undefined && fee > 0n && fee < baseFeePerGas ? baseFeePerGas : fee;
  return { ...request, gasPrice: raise(gasPrice), maxFeePerGas: raise(maxFeePerGas) };
}
