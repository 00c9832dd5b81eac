import { definePlugin, method, option, RpcError, type Runtime, t } from "@plinth/core";

/** `chainstats_gasUsed`: gas spent in the latest blocks. */
const gasUsed = (maxBlocks: number) =>
  method({
    summary: "Sums the gas used by the latest blocks.",
    params: { blocks: t.optional(t.quantity, 10n) },
    result: t.object({ from: t.quantity, to: t.quantity, gasUsed: t.quantity }),
    handle({ blocks }, { chain }: Runtime) {
      if (blocks > maxBlocks) throw RpcError.invalidParams(`blocks: at most ${maxBlocks}`);

      const to = chain.blocks.head().number;
      const from = to >= blocks ? to - blocks + 1n : 0n;
      let sum = 0n;
      for (let number = from; number <= to; number++) {
        sum += chain.blocks.findHeader(number)?.gasUsed ?? 0n;
      }
      return { from, to, gasUsed: sum };
    },
  });

export default definePlugin({
  name: "rpc-chainstats",
  options: {
    chainstatsMaxBlocks: option.integer({
      summary: "Maximum number of blocks per call.",
      default: 1000,
      min: 1,
    }),
  },
  setup(node) {
    node.rpc.namespace("chainstats", { gasUsed: gasUsed(node.config.chainstatsMaxBlocks) });
  },
});
