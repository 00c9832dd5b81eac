import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `evm_snapshot`: remembers the chain as it is. */
export const snapshot = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary: "Remembers the chain, its time and its pool; returns the number to revert to.",
    result: t.text,
    example: { params: [], result: "0x1" },
    handle: () => snapshots.take(holder.current),
  });
