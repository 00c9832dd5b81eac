import { method, type QueryCall, RpcError, t, toHex, toQuantity } from "@plinth/core";
import { getBlock, stateUnavailable } from "../find.js";
import { transactionIndex } from "../params.js";

/** `debug_accountAt`: an account after a transaction of a block. */
export const accountAt = method({
  offload: "long",
  summary: "Returns an account after a transaction of a block.",
  params: { block: t.blockId, index: transactionIndex, address: t.address },
  result: t.json,
  example: {
    params: ["latest", 0, "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73"],
    result: { code: "0x0", nonce: "0x1", balance: "0x0", codehash: `0x${"ab".repeat(32)}` },
  },
  async handle({ block: id, index, address }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const block = getBlock(blocks, id);
    if (index < 0 || index >= block.body.transactions.length) {
      throw RpcError.invalidParams("Invalid transaction params (missing or incorrect)");
    }
    using replay = await blocks.replay(block);
    if (replay === undefined) throw stateUnavailable();
    await replay.runTo(index + 1);
    const account = replay.state.findAccount(address);
    if (account === undefined) throw new RpcError(-32000, "Account not found");
    const code = replay.state.getCode(address);
    return {
      code: code.length === 0 ? "0x0" : toHex(code),
      nonce: toQuantity(account.nonce),
      balance: toQuantity(account.balance),
      codehash: account.codeHash,
    };
  },
});
