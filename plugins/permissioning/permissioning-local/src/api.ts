import { defineService } from "@plinth/core";

export { AllowlistError } from "./allowlist-error.js";
export { isNeededBootnode } from "./needed-bootnode.js";

/** A list that can be changed while the node runs. Changes reject with `AllowlistError`. */
export interface ChangeableList {
  list(): readonly string[];
  add(texts: readonly string[]): Promise<void>;
  remove(texts: readonly string[]): Promise<void>;
}

/** The lists of this node. */
export interface Permissions {
  /** `undefined` if any account may send. */
  readonly accounts: ChangeableList | undefined;
  /** `undefined` if any node may connect. */
  readonly nodes: ChangeableList | undefined;
  /** Reloads the files; on rejection with `AllowlistError` nothing has changed. */
  reload(): Promise<void>;
}

/** Service key of the lists, for plugins that show and change them. */
export const localPermissions = defineService<Permissions>("permissioning-local.permissions", {
  hint: "@plinth/plugin-permissioning-local",
});
