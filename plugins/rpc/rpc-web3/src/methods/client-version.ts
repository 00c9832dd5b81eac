import { method, type Runtime, t } from "@plinth/core";

/** `web3_clientVersion`: the client version string. */
export const clientVersion = method({
  summary: "Returns the name, version, platform and runtime of the node.",
  result: t.text,
  example: { params: [], result: "plinth/v0.1.0/linux-x64/node-v20" },
  handle: (_, { clientVersion }: Runtime) => clientVersion,
});
