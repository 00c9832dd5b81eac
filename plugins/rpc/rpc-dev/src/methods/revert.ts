import { method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `evm_revert`: goes back to a snapshot. */
export const revert = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary:
      "Goes back to a snapshot, which is used up with all later ones; false when there is none.",
    params: { snapshot: amount },
    result: t.boolean,
    example: { params: ["0x1"], result: true },
    handle: ({ snapshot }) => snapshots.revert(snapshot, holder.current),
  });
