import { type Call, method } from "@plinth/core";
import { findHeader, headerObject, shapes } from "@plinth/kit-rpc";
import { block } from "../params.js";

/** `erigon_getHeaderByNumber`: a header, null if there is no such block. */
export const getHeaderByNumber = method({
  summary: "Returns the header of a block by its number or tag.",
  params: { block },
  result: shapes.header,
  example: { params: [1], result: null },
  handle({ block: id }, { chain: { blocks } }: Call) {
    const header = findHeader(blocks, id);
    return header === undefined ? null : headerObject(header);
  },
});
