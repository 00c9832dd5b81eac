import { method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `evm_revert`: reverts to a snapshot. */
export const revert = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary:
      "Reverts to a snapshot, which is consumed with all later ones; false if it does not exist.",
    params: { snapshot: amount },
    result: t.boolean,
    example: { params: ["0x1"], result: true },
    handle: ({ snapshot }) => snapshots.revert(snapshot, holder.current),
  });
