import { option, optionKinds } from "@plinth/core";
import { problemOfAddress } from "./source/address.js";

/** Options of a replica. */
export const options = {
  follow: option.list({
    summary:
      "JSON-RPC addresses of nodes with --changes-enabled, one of which this node follows: it executes no block, has neither a key nor peers, and forwards transactions.",
    of: optionKinds.text(),
    validate: (addresses) =>
      addresses.map(problemOfAddress).find((problem) => problem !== undefined),
  }),
  followTokenFile: option.path({
    summary: "File with the token that these nodes require.",
  }),
  followMaxLagSeconds: option.integer({
    summary: "/readiness is down if the node has been behind for longer.",
    default: 60,
    min: 1,
    max: 86_400,
  }),
};
