import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `anvil_autoImpersonateAccount`: takes transactions from everybody without a key. */
export const autoImpersonateAccount = (holder: DevHolder) =>
  method({
    summary: "Says whether transactions are taken from everybody without a key.",
    params: { enabled: t.boolean },
    result: t.boolean,
    example: { params: [true], result: true },
    handle({ enabled }) {
      holder.current.senders.standsInForAll = enabled;
      return true;
    },
  });
