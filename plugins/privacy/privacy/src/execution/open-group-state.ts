import type { Hash, PluginTable, QueryContext, StateReader } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import { putContracts } from "../flexible/contracts.js";
import { EMPTY_STATE_ROOT } from "../store/private-store.js";
import type { PrivateRules } from "./run-private-transaction.js";

/**
 * Opens the state of a group for execution; a new flexible group starts with its management
 * contracts.
 */
export function openGroupState(
  { state: states }: Pick<QueryContext, "state">,
  place: { readonly table: PluginTable; readonly root: Hash; readonly under: StateReader },
  { isFlexible }: PrivateRules,
): PluginState {
  const state = states.open(place);
  if (isFlexible && place.root === EMPTY_STATE_ROOT) putContracts(state);
  return state;
}
