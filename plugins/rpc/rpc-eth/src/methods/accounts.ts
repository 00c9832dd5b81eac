import { method, t } from "@plinth/core";

/** `eth_accounts`: none, since the node holds no keys of accounts. */
export const accounts = method({
  summary: "Lists the accounts whose keys the node holds: none.",
  result: t.array(t.address),
  example: { params: [], result: [] },
  handle: () => [],
});
