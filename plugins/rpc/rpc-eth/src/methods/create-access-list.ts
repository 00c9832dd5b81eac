import { type Compatibility, method, type QueryCall, t, toHex } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import {
  callRequest,
  differencesOf,
  failureOf,
  gasOfTransaction,
  getHeader,
  revertReason,
  stateOverrides,
  toRpcError,
} from "@plinth/kit-rpc";
import { findAccessList } from "../access-list.js";
import { GasNotes } from "../besu-gas-used.js";
import { DIFFERENCES } from "../differences.js";

/** `eth_createAccessList`: the access list of a call, and its gas with that list. */
export const createAccessList = (gasCap: number) =>
  method({
    offload: "short",
    summary:
      "Lists the accounts and slots that a call accesses, and the gas it uses with that list.",
    params: {
      call: callRequest,
      block: t.optional(t.blockId, "latest"),
      stateOverrides: t.optional(stateOverrides),
    },
    result: t.json,
    example: {
      params: [{ to: "0x00000000000000000000000000000000000000b0" }, "latest"],
      result: { accessList: [], gasUsed: "0x5208" },
    },
    async handle({ call: request, block, stateOverrides }, context: QueryCall) {
      const { compatibility } = context;
      const style = { compatibility, isDetailed: true };
      const blocks = context.chain.blocks;
      const header = getHeader(blocks, block);
      const gasLimit = gasOfTransaction(blocks, { wanted: undefined, header, cap: gasCap });
      const rules = differencesOf(compatibility).calls;
      try {
        const settings = { header, gasLimit, rules, stateOverrides };
        const { refusesFailedAccessList, addsToListGas } = DIFFERENCES[compatibility.mode];
        using lent = addsToListGas ? await blocks.lendEvm() : undefined;
        let notes = new GasNotes();
        const createTracer = () => {
          notes = new GasNotes();
          return notes;
        };
        const trace = lent && { evm: lent.evm, createTracer };
        const { accessList, result } = await findAccessList(blocks, request, {
          ...settings,
          ...(trace && { trace }),
        });
        const hasFailed = result.outcome !== "success";
        if (hasFailed && refusesFailedAccessList) throw failureOf(result, style);
        const error = hasFailed ? { error: reasonOf(result, compatibility) } : {};
        const gas = addsToListGas ? notes.gasOf(result, blocks.forkAt(header)) : result.gasUsed;
        return { accessList, ...error, gasUsed: t.quantity.encode(gas) };
      } catch (error) {
        throw toRpcError(error, style);
      }
    },
  });

function reasonOf({ outcome, halt, returnValue }: EvmResult, compatibility: Compatibility): string {
  if (outcome !== "reverted") return halt ?? "execution halted";
  const reason = revertReason(toHex(returnValue), compatibility);
  return reason === undefined ? "execution reverted" : `execution reverted: ${reason}`;
}
