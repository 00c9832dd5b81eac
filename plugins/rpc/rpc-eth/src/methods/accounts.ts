import { method, t } from "@plinth/core";

/** `eth_accounts`: empty, since the node holds no account keys. */
export const accounts = method({
  summary: "Lists the accounts whose keys the node holds: none.",
  result: t.array(t.address),
  example: { params: [], result: [] },
  handle: () => [],
});
