import type { BlockReader } from "@plinth/core";
import { ZERO_ADDRESS } from "@plinth/core";
import type { CallSettings, Estimate, EstimateSettings } from "@plinth/core/query";
import { type CallRequest, forGas, ImpossibleCall } from "@plinth/core/query";
import { simulateCall } from "./call.js";

/** The stipend of a call with value, and the gas that an SSTORE requires to remain. */
const STIPEND = 2300n;
/** The base cost of a transaction. */
const LEAST_GAS = 21_000n;
/** The tolerance in millionths. */
const MILLION = 1_000_000n;

/** Estimates the gas of a call: what it used if that suffices, otherwise by binary search. */
export async function estimateGas(
  blocks: BlockReader,
  request: CallRequest,
  { tolerance, ...settings }: EstimateSettings,
): Promise<Estimate> {
  const payable = forGas(request, settings.header);
  const gasLimit = affordable(blocks, request, settings);
  const run = (gas: bigint) => simulateCall(blocks, payable, { ...settings, gasLimit: gas });
  const succeeds = async (gas: bigint) => {
    try {
      return (await run(gas)).outcome === "success";
    } catch (error) {
      // Below the intrinsic gas: just not enough.
      if (error instanceof ImpossibleCall && error.reason === "intrinsic-gas") return false;
      throw error;
    }
  };
  const first = await run(gasLimit);
  if (first.outcome !== "success") return { kind: "failed", result: first };
  if (await succeeds(first.gasUsed)) return { kind: "enough", gas: first.gasUsed };
  const accuracy = BigInt(Math.round(tolerance * Number(MILLION)));
  let low = first.gasUsed;
  let high = gasLimit;
  const likely = ((first.gasUsed + STIPEND) * 64n) / 63n;
  if (likely < high && (await succeeds(likely))) high = likely;
  while (high - low > 1n && (high - low) * MILLION > high * accuracy) {
    const middle = (low + high) / 2n;
    if (await succeeds(middle)) high = middle;
    else low = middle;
  }
  return { kind: "enough", gas: high };
}

/** A strict call has no more gas than its sender can pay. */
function affordable(
  blocks: BlockReader,
  { from = ZERO_ADDRESS, value, gasPrice, maxFeePerGas, strict }: CallRequest,
  { header, gasLimit }: Pick<CallSettings, "header" | "gasLimit">,
): bigint {
  const fee = maxFeePerGas ?? gasPrice ?? 0n;
  if (strict !== true || fee === 0n) return gasLimit;
  const balance = blocks.stateAt(header).findAccount(from)?.balance ?? 0n;
  const gas = balance < value ? 0n : (balance - value) / fee;
  // Too little for anything: the run reports it, with the numbers.
  return gas < LEAST_GAS || gas > gasLimit ? gasLimit : gas;
}
