import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_stopImpersonatingAccount`: takes none from it any longer. */
export const stopImpersonatingAccount = (holder: DevHolder) =>
  method({
    summary: "Takes no transactions from an account without its key any longer.",
    params: { address: t.address },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0"], result: true },
    handle: ({ address }) => holder.current.senders.stopImpersonating(address),
  });
