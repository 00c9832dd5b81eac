import { type Call, method, t } from "@plinth/core";
import { findHeader, headerObject, shapes } from "@plinth/kit-rpc";
import { HEADER_EXAMPLE } from "../examples.js";

/** `eth_getHeaderByNumber`: the header of a block of the canonical chain, null if there is none. */
export const getHeaderByNumber = method({
  summary: "Returns the header of a block by its number or tag.",
  absentIn: "besu",
  params: { block: t.blockNumber },
  result: shapes.header,
  example: { params: ["latest"], result: HEADER_EXAMPLE },
  handle({ block }, { chain }: Call) {
    const header = findHeader(chain.blocks, block);
    return header === undefined ? null : headerObject(header);
  },
});
