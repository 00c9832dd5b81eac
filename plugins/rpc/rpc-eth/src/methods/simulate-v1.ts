import { type Compatibility, method, type QueryCall, RpcError, t } from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import { OverrideProblem } from "@plinth/core/query";
import { getStateHeader, toRpcError } from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";
import { describeSimulated } from "../simulation/describe.js";
import { payload } from "../simulation/payload.js";
import { SimulationProblem } from "../simulation/problem.js";
import { simulateBlocks } from "../simulation/simulate-blocks.js";

const CODES: Readonly<Record<Exclude<SimulationProblem["kind"], "nonce-overflow">, number>> = {
  empty: -32602,
  "block-number": -38020,
  "block-time": -38021,
  "too-many-blocks": -38026,
  "block-gas": -38015,
  "nonce-too-low": -38010,
  "nonce-too-high": -38011,
  "base-fee": -38012,
  "intrinsic-gas": -38013,
  funds: -38014,
  "init-code": -38025,
  type: -32602,
  fees: -32602,
};

const OVERRIDE_CODES: Readonly<Record<OverrideProblem["kind"], number>> = {
  "not-a-precompile": -32000,
  "moved-to-itself": -38022,
  "moved-twice": -38023,
};

const TIMEOUT_CODE = -32016;

/** `eth_simulateV1`: simulates blocks of calls on top of an existing block. */
export const simulateV1 = (gasCap: number) =>
  method({
    offload: "short",
    summary: "Simulates blocks of calls on top of a block and returns them as if they existed.",
    absentIn: "besu",
    params: { payload, block: t.optional(t.blockId) },
    result: t.json,
    example: {
      params: [{ blockStateCalls: [{ calls: [] }] }, "latest"],
      result: [{ number: "0x1", calls: [] }],
    },
    async handle({ payload, block }, context: QueryCall) {
      const blocks = context.chain.blocks;
      const base = getStateHeader(context, block);
      const { returnFullTransactions, validation, traceTransfers, blockStateCalls } = payload;
      try {
        const results = await simulateBlocks(blocks, blockStateCalls, {
          base,
          chainId: context.chain.chainId ?? 1n,
          isValidated: validation,
          tracesTransfers: traceTransfers,
          sharesMoves: DIFFERENCES[context.compatibility.mode].simulation.sharesMoves,
          gasCap: BigInt(gasCap),
          signal: context.signal,
        });
        const { compatibility } = context;
        return results.map((result) =>
          describeSimulated(result, { verbose: returnFullTransactions, compatibility }),
        );
      } catch (error) {
        throw refusalOf(error, context.compatibility);
      }
    },
  });

function refusalOf(error: unknown, compatibility: Compatibility): unknown {
  const { simulation } = DIFFERENCES[compatibility.mode];
  if (error instanceof SimulationProblem) {
    const { kind, message } = error;
    const code = kind === "nonce-overflow" ? simulation.nonceOverflowCode : CODES[kind];
    return new RpcError(code, message);
  }
  if (error instanceof OverrideProblem) {
    return new RpcError(OVERRIDE_CODES[error.kind], error.message);
  }
  const refusal = toRpcError(error, { compatibility, isDetailed: false });
  return error instanceof RunTooLong && refusal instanceof RpcError
    ? new RpcError(TIMEOUT_CODE, refusal.message)
    : refusal;
}
