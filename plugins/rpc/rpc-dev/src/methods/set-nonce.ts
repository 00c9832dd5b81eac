import { method, t } from "@plinth/core";
import { MAX_NONCE } from "@plinth/core/blocks";
import { amountUpTo } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `hardhat_setNonce`: sets the nonce of an account. */
export const setNonce = (holder: DevHolder) =>
  method({
    summary: "Sets the nonce of an account, in a separate block.",
    params: { address: t.address, nonce: amountUpTo(MAX_NONCE) },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0", "0x5"], result: true },
    async handle({ address, nonce }) {
      await withRpcErrors(holder.current.dev.change([{ address, nonce }]));
      return true;
    },
  });
