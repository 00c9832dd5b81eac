import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `evm_snapshot`: takes a snapshot of the chain. */
export const snapshot = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary:
      "Takes a snapshot of the chain, its time and its pool; returns its number for evm_revert.",
    result: t.text,
    example: { params: [], result: "0x1" },
    handle: () => snapshots.take(holder.current),
  });
