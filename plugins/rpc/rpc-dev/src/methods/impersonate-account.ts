import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_impersonateAccount`: accepts transactions from an account without its key. */
export const impersonateAccount = (holder: DevHolder) =>
  method({
    summary: "Accepts transactions from an account without its key, including contracts.",
    params: { address: t.address },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0"], result: true },
    handle({ address }) {
      holder.current.senders.impersonate(address);
      return true;
    },
  });
