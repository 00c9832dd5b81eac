import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `evm_setAutomine`: whether a block is mined as soon as a transaction arrives. */
export const setAutomine = (holder: DevHolder) =>
  method({
    summary: "Sets whether a block is mined as soon as a transaction arrives.",
    params: { enabled: t.boolean },
    result: t.boolean,
    example: { params: [false], result: true },
    handle({ enabled }) {
      holder.current.dev.isAutomatic = enabled;
      return true;
    },
  });
