import { type Address, hexToBytes } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import { MANAGEMENT_CODE } from "./management-code.js";
import { PROXY_CODE } from "./proxy-code.js";

/** Where the members of a group are asked for and changed, in its private state. */
export const PROXY_ADDRESS: Address = "0x000000000000000000000000000000000000007c";
/** The contract behind it, as long as the owner of the group does not replace it. */
export const MANAGEMENT_ADDRESS: Address = "0x000000000000000000000000000000000000007b";

/** The slot of the proxy that names the contract behind it. */
const IMPLEMENTATION_SLOT = `0x${"00".repeat(32)}` as const;

/** Puts the contracts that manage the members of a group into a state without accounts. */
export function putContracts({ own }: Pick<PluginState, "own">): void {
  own.setCode(MANAGEMENT_ADDRESS, hexToBytes(MANAGEMENT_CODE));
  own.setCode(PROXY_ADDRESS, hexToBytes(PROXY_CODE));
  own.setStorage(PROXY_ADDRESS, IMPLEMENTATION_SLOT, BigInt(MANAGEMENT_ADDRESS));
}
