import type { StateReader, WorldState } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { PluginBatch, PluginTable } from "../storage/plugin-table.js";

/** The changes of a plugin's state. */
export interface PluginStateUpdate {
  readonly root: Hash;
  /** Adds the new nodes to the batch of a block. */
  writeTo(batch: PluginBatch): void;
}

/** A plugin's own world state, with its own root. */
export interface PluginState extends WorldState {
  /** Only its own accounts, regardless of the underlying state. */
  readonly own: Omit<WorldState, "checkpoint" | "commit" | "revert">;
  /** Whether the account is from the underlying state. */
  isReadOnly(address: Address): boolean;
  /** Computes the root; from now on the state can be opened at it. */
  update(): PluginStateUpdate;
}

/** Where to open a plugin's state. */
export interface PluginStatePlace {
  readonly table: PluginTable;
  readonly root: Hash;
  /**
   * A read-only state for accounts that the plugin's own state lacks or has empty.
   *
   * An empty account in it hides nothing.
   */
  readonly under?: StateReader;
}
