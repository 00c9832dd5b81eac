import { DecodeError, method, RpcError, t } from "@plinth/core";
import type { AccountChange } from "@plinth/plugin-consensus-dev/api";
import type { DevHolder } from "../dev.js";
import {
  dumpState as dump,
  MAX_REQUEST_BYTES,
  packDump,
  readDump,
} from "../state-files/state-dump.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `anvil_dumpState`: every account, in Anvil's file format. */
export const dumpState = (holder: DevHolder) =>
  method({
    summary: "Returns every account with code and storage: hex of gzip of JSON, in Anvil's format.",
    params: { preserveHistory: t.optional(t.boolean) },
    result: t.text,
    example: { params: [], result: "0x1f8b08" },
    handle: () => packDump(dump(holder.current.blocks)),
  });

/** `anvil_loadState`: adds the accounts of such a dump. */
export const loadState = (holder: DevHolder) =>
  method({
    summary: "Adds the accounts of a dump to the chain, in a separate block.",
    params: { state: t.data },
    result: t.boolean,
    example: { params: ["0x1f8b08"], result: true },
    async handle({ state }) {
      await withRpcErrors(holder.current.dev.change(readOrRefuse(state)));
      return true;
    },
  });

function readOrRefuse(state: Uint8Array): readonly AccountChange[] {
  try {
    return readDump(state, MAX_REQUEST_BYTES);
  } catch (error) {
    if (error instanceof DecodeError)
      throw RpcError.invalidParams(`Invalid params: ${error.message}`);
    throw error;
  }
}
