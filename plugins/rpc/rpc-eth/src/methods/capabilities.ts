import { type Call, method, t } from "@plinth/core";

/** `eth_capabilities`: the parts of the chain history that the node serves. */
export const capabilities = method({
  summary: "Returns which parts of the chain the node has stored.",
  absentIn: "besu",
  result: t.json,
  example: {
    params: [],
    result: {
      head: { number: "0x0", hash: `0x${"ab".repeat(32)}` },
      state: keptFrom(0n),
      tx: keptFrom(0n),
      logs: keptFrom(0n),
      receipts: keptFrom(0n),
      blocks: keptFrom(0n),
      stateproofs: keptFrom(0n),
    },
  },
  handle(_, call: Call) {
    const { blocks } = call.chain;
    const { number, hash } = blocks.head();
    const { values, tries } = blocks.oldestStates();
    const bodies = keptFrom(blocks.firstRetained());
    return {
      head: { number: t.quantity.encode(number), hash },
      state: keptFrom(values),
      tx: bodies,
      logs: bodies,
      receipts: bodies,
      blocks: bodies,
      stateproofs: keptFrom(tries),
    };
  },
});

function keptFrom(block: bigint) {
  return { disabled: false, oldestBlock: t.quantity.encode(block) };
}
