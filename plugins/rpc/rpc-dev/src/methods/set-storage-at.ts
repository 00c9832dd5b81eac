import { method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `hardhat_setStorageAt`: sets a word of a contract's storage. */
export const setStorageAt = (holder: DevHolder) =>
  method({
    summary: "Sets a word of an account's storage, in a separate block.",
    params: { address: t.address, slot: amount, value: t.hash },
    result: t.boolean,
    example: {
      params: ["0x00000000000000000000000000000000000000b0", "0x0", `0x${"ab".repeat(32)}`],
      result: true,
    },
    async handle({ address, slot, value }) {
      const key = `0x${slot.toString(16).padStart(64, "0")}` as const;
      const storage = [{ slot: key, value: BigInt(value) }];
      await withRpcErrors(holder.current.dev.change([{ address, storage }]));
      return true;
    },
  });
