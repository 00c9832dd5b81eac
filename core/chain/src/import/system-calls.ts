import type { Address, Hash, Header } from "@plinth/core";
import { hexBytes } from "@plinth/core/blocks";
import type { BlockContext, Evm, EvmResult, SystemCall, WorldState } from "@plinth/core/evm";
import { rulesOf } from "@plinth/core/evm";

/** EIP-4788: stores beacon block roots. */
export const BEACON_ROOTS: Address = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
/** EIP-2935: stores the hashes of recent blocks. */
export const BLOCK_HASHES: Address = "0x0000f90827f1c53a10cb7a02335b175320002935";

/** The environment of a system call. */
export interface SystemContext {
  readonly evm: Evm;
  readonly state: WorldState;
  readonly block: BlockContext;
}

/** Calls a contract on behalf of the protocol; `undefined` if it does not exist. */
export async function callSystem(
  { evm, state, block }: SystemContext,
  call: SystemCall,
): Promise<EvmResult | undefined> {
  if (state.getCode(call.to).length === 0) return undefined;
  return evm.runSystemCall(call, { block, state });
}

/** Records the parent of a block in the history contracts, before its first transaction (EIP-2935, EIP-4788). */
export async function keepHistory(
  context: SystemContext,
  { parentHash, parentBeaconBlockRoot }: Pick<Header, "parentHash" | "parentBeaconBlockRoot">,
): Promise<void> {
  const { keepsBeaconRoots, keepsBlockHashes } = rulesOf(context.block.fork);
  const record = (to: Address, hash: Hash) => callSystem(context, { to, data: hexBytes(hash) });
  // A BFT block has no such root, whatever its fork.
  if (keepsBeaconRoots && parentBeaconBlockRoot !== undefined) {
    await record(BEACON_ROOTS, parentBeaconBlockRoot);
  }
  if (keepsBlockHashes) await record(BLOCK_HASHES, parentHash);
}
