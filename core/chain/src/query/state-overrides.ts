import type { Address } from "@plinth/core";
import type { Fork, WorldState } from "@plinth/core/evm";
import type { AccountOverride, StateOverrides } from "@plinth/core/query";
import { OverrideProblem } from "@plinth/core/query";
import { isPrecompile } from "./is-precompile.js";

/** The inputs of state overrides. */
export interface OverrideRules {
  readonly fork: Fork;
  /** Two precompiles may be moved to one address; the last one counts. */
  readonly sharesMoves?: boolean;
}

/**
 * Applies overrides to a state.
 *
 * Returns where precompiles were moved: an overridden one is replaced by the account.
 */
export function applyOverrides(
  state: WorldState,
  overrides: StateOverrides,
  { fork, sharesMoves = false }: OverrideRules,
): ReadonlyMap<Address, Address | undefined> {
  const moved = new Map<Address, Address | undefined>();
  for (const [address, override] of overrides) {
    const target = override.movePrecompileToAddress;
    if (target !== undefined) verifyMove(address, target, { moved, overrides, fork, sharesMoves });
    if (isPrecompile(address, fork)) moved.set(address, target);
  }
  for (const [address, override] of overrides) applyOverride(state, address, override);
  return moved;
}

function verifyMove(
  address: Address,
  target: Address,
  {
    moved,
    overrides,
    fork,
    sharesMoves,
  }: OverrideRules & {
    readonly moved: ReadonlyMap<Address, Address | undefined>;
    readonly overrides: StateOverrides;
  },
): void {
  if (!isPrecompile(address, fork)) {
    throw new OverrideProblem("not-a-precompile", `account ${address} is not a precompile`);
  }
  if (target === address) {
    throw new OverrideProblem("moved-to-itself", `account ${address} is moved onto itself`);
  }
  const isShared = !sharesMoves && [...moved.values()].includes(target);
  if (overrides.has(target) || isShared) {
    throw new OverrideProblem("moved-twice", `account ${target} is already overridden`);
  }
}

function applyOverride(state: WorldState, address: Address, override: AccountOverride): void {
  const { balance, nonce, code, state: storage, stateDiff } = override;
  if (balance !== undefined || nonce !== undefined) {
    state.setAccount(address, {
      ...(balance === undefined ? {} : { balance }),
      ...(nonce === undefined ? {} : { nonce }),
    });
  }
  if (code !== undefined) state.setCode(address, code);
  if (storage !== undefined) state.clearStorage(address);
  for (const [slot, value] of storage ?? stateDiff ?? []) state.setStorage(address, slot, value);
}
