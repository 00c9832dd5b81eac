import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_stopImpersonatingAccount`: undoes `hardhat_impersonateAccount`. */
export const stopImpersonatingAccount = (holder: DevHolder) =>
  method({
    summary: "Stops accepting transactions from an account without its key.",
    params: { address: t.address },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0"], result: true },
    handle: ({ address }) => holder.current.senders.stopImpersonating(address),
  });
