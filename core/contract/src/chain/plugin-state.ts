import type { StateReader, WorldState } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { PluginBatch, PluginTable } from "../storage/plugin-table.js";

/** What a plugin's state has become. */
export interface PluginStateUpdate {
  readonly root: Hash;
  /** Puts what is new into the batch of a block. */
  writeTo(batch: PluginBatch): void;
}

/** A world state of a plugin's own, with a root of its own. */
export interface PluginState extends WorldState {
  /** Its own accounts alone, whatever the state below has at their addresses. */
  readonly own: Omit<WorldState, "checkpoint" | "commit" | "revert">;
  /** Whether the account is one of the state below. */
  isReadOnly(address: Address): boolean;
  /** Computes the root; the state can be opened at it from now on. */
  update(): PluginStateUpdate;
}

/** Where a plugin's state is opened. */
export interface PluginStatePlace {
  readonly table: PluginTable;
  readonly root: Hash;
  /**
   * A state that is only read: it stands in for accounts which the plugin's own state does not have, or has empty.
   *
   * An empty account of it hides nothing.
   */
  readonly under?: StateReader;
}
