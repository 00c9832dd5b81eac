import { method, t } from "@plinth/core";
import { type CliqueCall, getHeader } from "../clique-call.js";
import { SNAPSHOT_EXAMPLE, snapshot, takeSnapshot } from "../snapshot.js";

/** `clique_getSnapshot`: signers and votes after a block. */
export const getSnapshot = method({
  summary: "Returns the signers after a block, the recent signers, and the pending votes.",
  params: { block: t.optional(t.blockNumber) },
  result: snapshot,
  example: { params: ["latest"], result: SNAPSHOT_EXAMPLE },
  handle: ({ block }, call: CliqueCall) => takeSnapshot(getHeader(block, call), call.clique),
});
