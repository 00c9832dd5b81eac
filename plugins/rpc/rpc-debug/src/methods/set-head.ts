import { type Call, method, t } from "@plinth/core";
import { getTarget } from "../find.js";

/** `debug_setHead`: rewinds to a block; later blocks stay in the database. */
export const setHead = method({
  summary: "Makes a known block the head of the chain; later blocks stay in the database.",
  params: { block: t.blockId },
  result: t.text,
  example: { params: ["0x1"], result: "Success" },
  async handle({ block }, call: Call) {
    const { blocks, writer } = call.chain;
    await writer.setHead(getTarget(blocks, block).hash);
    return "Success";
  },
});
