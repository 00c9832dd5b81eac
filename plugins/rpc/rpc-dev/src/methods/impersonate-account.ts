import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_impersonateAccount`: takes transactions from an account without its key. */
export const impersonateAccount = (holder: DevHolder) =>
  method({
    summary: "Takes transactions from an account without its key, contracts too.",
    params: { address: t.address },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0"], result: true },
    handle({ address }) {
      holder.current.senders.impersonate(address);
      return true;
    },
  });
