import { method } from "@plinth/core";
import { blockHash } from "../block-hash.js";
import { type CliqueCall, getHeader } from "../clique-call.js";
import { SNAPSHOT_EXAMPLE, snapshot, takeSnapshot } from "../snapshot.js";

/** `clique_getSnapshotAtHash`: signers and votes after a block, on any branch. */
export const getSnapshotAtHash = method({
  summary: "Returns the same as clique_getSnapshot for the block with a hash.",
  params: { hash: blockHash },
  result: snapshot,
  example: { params: [SNAPSHOT_EXAMPLE.hash], result: SNAPSHOT_EXAMPLE },
  handle: ({ hash }, call: CliqueCall) => takeSnapshot(getHeader(hash, call), call.clique),
});
