import { type Call, RpcError } from "@plinth/core";
import {
  AllowlistError,
  type ChangeableList,
  type localPermissions,
} from "@plinth/plugin-permissioning-local/api";

/** What the handlers of this namespace receive. */
export type PermCall = Call<{ readonly permissions: typeof localPermissions }>;

/** Result of a successful change. */
export const SUCCESS = "Success";

/** The two lists, with their error messages. */
export interface ListKind {
  /** Finds the list; throws if it is not in use. */
  find(call: PermCall): ChangeableList;
  /** Error for a parameter that is not a list of texts. */
  readonly invalidParams: string;
}

export const accounts: ListKind = {
  invalidParams: "Invalid account params",
  find: ({ permissions }) =>
    permissions.accounts ?? refuse("Account allowlist has not been enabled"),
};

export const nodes: ListKind = {
  invalidParams: "Invalid enode params",
  find({ permissions, network }) {
    const list = permissions.nodes ?? refuse("Node allowlist has not been enabled");
    return network.isEnabled
      ? list
      : refuse("P2P has been disabled. This functionality is not available");
  },
};

/** Applies a change; a rejection becomes an RPC error. */
export async function change(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return SUCCESS;
  } catch (error) {
    throw error instanceof AllowlistError ? new RpcError(-32000, error.message) : error;
  }
}

function refuse(message: string): never {
  throw new RpcError(-32000, message);
}
