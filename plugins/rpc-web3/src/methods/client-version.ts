import { method, type Runtime, t } from "@plinth/core";

/** `web3_clientVersion`: what this node calls itself. */
export const clientVersion = method({
  summary: "Returns the name, version, platform and runtime of the node.",
  result: t.text,
  handle: (_, { clientVersion }: Runtime) => clientVersion,
});
