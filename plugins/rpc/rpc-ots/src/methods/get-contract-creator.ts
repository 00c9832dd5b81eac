import { type Call, method, t } from "@plinth/core";
import type { dependencies } from "../dependencies.js";
import { EXAMPLES } from "../examples.js";
import { readIndex } from "../find-index.js";

/** `ots_getContractCreator`: who created a contract, null if it is none. */
export const getContractCreator = method({
  summary:
    "Returns the transaction that created a contract, and the account or contract that executed the creation; needs --address-index-enabled.",
  params: { address: t.address },
  result: t.optional(t.object({ hash: t.hash, creator: t.address })),
  example: {
    params: [EXAMPLES.contract],
    result: { hash: EXAMPLES.hash, creator: EXAMPLES.address },
  },
  handle: ({ address }, call: Call<typeof dependencies>) =>
    readIndex(call, async (index) => {
      const found = await index.findCreation(address);
      const block = found && call.chain.blocks.findBlock(found.number);
      const hash = found && block?.body.transactions[found.index]?.hash;
      return found && hash && { hash, creator: found.creator };
    }),
});
