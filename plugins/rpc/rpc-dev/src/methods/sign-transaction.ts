import { method, t } from "@plinth/core";
import { signTransaction as sign } from "@plinth/core/blocks";
import type { DevHolder } from "../dev.js";
import { keyOf } from "../sign/sign.js";
import { fillIn, transactionRequest } from "../transaction-request.js";

/** `eth_signTransaction`: signs a transaction without sending it. */
export const signTransaction = (holder: DevHolder) =>
  method({
    summary: "Signs a transaction of an unlocked account, for eth_sendRawTransaction.",
    params: { transaction: transactionRequest },
    result: t.data,
    example: {
      params: [
        {
          from: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          to: "0x00000000000000000000000000000000000000b0",
        },
      ],
      result: "0x02f86c",
    },
    async handle({ transaction }) {
      const { current } = holder;
      const key = keyOf(transaction.from, current.senders);
      return sign(await fillIn(transaction, current), key);
    },
  });
