import { type Address, hexToBytes } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import { MANAGEMENT_CODE } from "./management-code.js";
import { PROXY_CODE } from "./proxy-code.js";

/**
 * Address of the proxy through which the members of a group are read and changed, in its private
 * state.
 */
export const PROXY_ADDRESS: Address = "0x000000000000000000000000000000000000007c";
/**
 * Address of the initial implementation behind the proxy; the owner of the group can replace it.
 */
export const MANAGEMENT_ADDRESS: Address = "0x000000000000000000000000000000000000007b";

/** Storage slot of the proxy that holds the implementation address. */
const IMPLEMENTATION_SLOT = `0x${"00".repeat(32)}` as const;

/** Deploys the contracts that manage the members of a group into an empty state. */
export function putContracts({ own }: Pick<PluginState, "own">): void {
  own.setCode(MANAGEMENT_ADDRESS, hexToBytes(MANAGEMENT_CODE));
  own.setCode(PROXY_ADDRESS, hexToBytes(PROXY_CODE));
  own.setStorage(PROXY_ADDRESS, IMPLEMENTATION_SLOT, BigInt(MANAGEMENT_ADDRESS));
}
