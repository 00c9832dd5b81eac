import { method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `hardhat_setBalance`: sets the balance of an account, in wei. */
export const setBalance = (holder: DevHolder) =>
  method({
    summary: "Sets the balance of an account, in a separate block.",
    params: { address: t.address, balance: amount },
    result: t.boolean,
    example: {
      params: ["0x00000000000000000000000000000000000000b0", "0xde0b6b3a7640000"],
      result: true,
    },
    async handle({ address, balance }) {
      await withRpcErrors(holder.current.dev.change([{ address, balance }]));
      return true;
    },
  });
