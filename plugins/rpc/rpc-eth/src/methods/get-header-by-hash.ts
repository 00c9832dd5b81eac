import { type Call, method } from "@plinth/core";
import { headerObject, shapes } from "@plinth/kit-rpc";
import { blockHash } from "../params.js";

/** `eth_getHeaderByHash`: the header of any known block, null if there is none. */
export const getHeaderByHash = method({
  summary: "Returns the header of a block by its hash.",
  absentIn: "besu",
  params: { hash: blockHash },
  result: shapes.header,
  example: { params: [`0x${"ab".repeat(32)}`], result: null },
  handle({ hash }, { chain }: Call) {
    const header = chain.blocks.findHeader(hash);
    return header === undefined ? null : headerObject(header);
  },
});
