import { t, toQuantity } from "@plinth/core";
import { PROXY_ADDRESS, SELECTORS } from "@plinth/plugin-privacy/api";
import type { NodeLink } from "../node-link.js";

/** The owner of a group can replace its contract by one that never terminates. */
const MOST_GAS = toQuantity(100_000_000n);

/** Whether a flexible group executes only calls of its contract. */
export async function isLocked(link: NodeLink, privacyGroupId: string): Promise<boolean> {
  const call = { to: PROXY_ADDRESS, data: SELECTORS.canExecute, gas: MOST_GAS };
  const params = [privacyGroupId, call, "latest"];
  const returned = await link.ask("priv_call", t.optional(t.data), params);
  return returned?.every((byte) => byte === 0) ?? true;
}
