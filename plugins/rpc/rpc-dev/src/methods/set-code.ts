import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `hardhat_setCode`: sets the code of an account. */
export const setCode = (holder: DevHolder) =>
  method({
    summary: "Sets the code of an account, in a separate block.",
    params: { address: t.address, code: t.data },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0", "0x6000"], result: true },
    async handle({ address, code }) {
      await withRpcErrors(holder.current.dev.change([{ address, code }]));
      return true;
    },
  });
