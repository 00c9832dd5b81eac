import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `hardhat_reset`: goes back to the first block. */
export const reset = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary: "Goes back to the first block; what waits is dropped, and so is every snapshot.",
    result: t.boolean,
    example: { params: [], result: true },
    async handle() {
      await snapshots.reset(holder.current);
      return true;
    },
  });
