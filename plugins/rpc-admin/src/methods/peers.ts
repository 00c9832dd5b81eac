import { method, type Runtime, t } from "@plinth/core";
import { verifyAnswerable } from "../p2p-disabled.js";

/** `admin_peers`: who is connected. */
export const peers = method({
  summary: "Lists the nodes that are connected.",
  result: t.array(t.json),
  example: { params: [], result: [] },
  handle(_, runtime: Runtime) {
    verifyAnswerable(runtime);
    return runtime.network.peers ?? [];
  },
});
