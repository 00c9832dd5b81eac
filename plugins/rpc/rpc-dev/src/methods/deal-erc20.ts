import { type Address, method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { Dev, DevHolder } from "../dev.js";
import { findTokenSlot, type TokenGetter } from "../token-slot.js";
import { withRpcErrors } from "../with-rpc-errors.js";

const BOB = "0x00000000000000000000000000000000000000b0";
const TOKEN = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

/** `anvil_dealERC20`: sets a token balance. */
export const dealErc20 = (holder: DevHolder) =>
  method({
    summary: "Sets an account's balance of an ERC-20 token, in a separate block.",
    params: { address: t.address, token: t.address, balance: amount },
    result: t.boolean,
    example: { params: [BOB, TOKEN, "0x64"], result: true },
    async handle({ address, token, balance }) {
      const getter = { token, signature: "balanceOf", data: `0x70a08231${wordOf(address)}` };
      await setWord(getter, balance, holder.current);
      return true;
    },
  });

/** `anvil_setERC20Allowance`: sets the allowance of a spender. */
export const setErc20Allowance = (holder: DevHolder) =>
  method({
    summary: "Sets the allowance of a spender for an ERC-20 token, in a separate block.",
    params: { owner: t.address, spender: t.address, token: t.address, amount },
    result: t.boolean,
    example: { params: [BOB, BOB, TOKEN, "0x64"], result: true },
    async handle({ owner, spender, token, amount: allowance }) {
      const data = `0xdd62ed3e${wordOf(owner)}${wordOf(spender)}`;
      await setWord({ token, signature: "allowance", data }, allowance, holder.current);
      return true;
    },
  });

async function setWord(getter: TokenGetter, value: bigint, dev: Dev): Promise<void> {
  const { address, slot } = await findTokenSlot(getter, dev);
  await withRpcErrors(dev.dev.change([{ address, storage: [{ slot, value }] }]));
}

function wordOf(address: Address): string {
  return address.slice(2).padStart(64, "0");
}
