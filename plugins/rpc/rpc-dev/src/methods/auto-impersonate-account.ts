import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `anvil_autoImpersonateAccount`: impersonates every sender. */
export const autoImpersonateAccount = (holder: DevHolder) =>
  method({
    summary: "Sets whether unsigned transactions of every sender are accepted.",
    params: { enabled: t.boolean },
    result: t.boolean,
    example: { params: [true], result: true },
    handle({ enabled }) {
      holder.current.senders.standsInForAll = enabled;
      return true;
    },
  });
