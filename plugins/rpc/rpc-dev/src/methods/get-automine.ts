import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_getAutomine`: whether a block is mined as soon as a transaction arrives. */
export const getAutomine = (holder: DevHolder) =>
  method({
    summary: "Returns whether a block is mined as soon as a transaction arrives.",
    result: t.boolean,
    example: { params: [], result: true },
    handle: () => holder.current.dev.isAutomatic,
  });
