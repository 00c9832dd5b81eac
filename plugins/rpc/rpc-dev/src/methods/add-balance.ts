import { method, RpcError, type SealedHeader, t } from "@plinth/core";
import { MAX_UINT256 } from "@plinth/core/blocks";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `anvil_addBalance`: adds wei to an account. */
export const addBalance = (holder: DevHolder) =>
  method({
    summary: "Adds to the balance of an account, in a separate block.",
    params: { address: t.address, amount },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0", "0x1"], result: true },
    async handle({ address, amount: more }) {
      const { blocks, dev } = holder.current;
      const add = (head: SealedHeader) => {
        const balance = (blocks.stateAt(head).findAccount(address)?.balance ?? 0n) + more;
        if (balance <= MAX_UINT256) return { address, balance };
        throw RpcError.invalidParams(`amount: ${more}: the balance would exceed 256 bits`);
      };
      await withRpcErrors(dev.changeFrom(add));
      return true;
    },
  });
