import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `eth_requestAccounts`: the accounts for a page that asks its wallet (EIP-1102). */
export const requestAccounts = (holder: DevHolder) =>
  method({
    summary: "Lists the accounts whose keys the node holds, as a wallet would (EIP-1102).",
    result: t.array(t.address),
    example: { params: [], result: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] },
    handle: () => holder.current.senders.unlocked(),
  });
