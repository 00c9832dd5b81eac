import { type Call, RpcError } from "@plinth/core";
import {
  AllowlistError,
  type ChangeableList,
  type localPermissions,
} from "@plinth/plugin-permissioning-local/api";

/** What a handler of this namespace receives. */
export type PermCall = Call<{ readonly permissions: typeof localPermissions }>;

/** What callers get when a change is done. */
export const SUCCESS = "Success";

/** The two lists, in the words of their errors. */
export interface ListKind {
  /** Finds the list; throws when it is not in use. */
  find(call: PermCall): ChangeableList;
  /** What a parameter that is no list of texts is answered with. */
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

/** Does a change, and answers its refusal as an error. */
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
