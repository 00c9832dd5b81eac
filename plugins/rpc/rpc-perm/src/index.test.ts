import { definePlugin } from "@plinth/core";
import {
  AllowlistError,
  localPermissions,
  type Permissions,
} from "@plinth/plugin-permissioning-local/api";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcPerm from "./index.js";

const ACCOUNT = `0x${"ab".repeat(20)}`;

function start(permissions: Permissions) {
  const provider = definePlugin({
    name: "permissions-test",
    provides: [localPermissions],
    setup: ({ services }) => services.provide(localPermissions, () => permissions),
  });
  return createTestNode({ plugins: [provider, rpcPerm] });
}

describe("perm", () => {
  it("returns and changes the list of accounts, under both names", async () => {
    const entries: string[] = [];
    const accounts = {
      list: () => entries,
      add: async (texts: readonly string[]) => void entries.push(...texts),
      remove: async () => {
        throw new AllowlistError("Cannot remove an absent account from allowlist");
      },
    };
    await using node = await start({ accounts, nodes: undefined, reload: async () => {} });

    expect(await node.rpc("perm_addAccountsToAllowlist", [[ACCOUNT]])).toBe("Success");
    expect(await node.rpc("perm_getAccountsWhitelist")).toEqual([ACCOUNT]);
    expect(await node.rpc("perm_reloadPermissionsFromFile")).toBe("Success");
    await expect(node.rpc("perm_removeAccountsFromWhitelist", [[ACCOUNT]])).rejects.toMatchObject({
      code: -32000,
      message: "Cannot remove an absent account from allowlist",
    });
  });

  it("reports which list is not in use", async () => {
    const nothing = { accounts: undefined, nodes: undefined, reload: async () => {} };
    await using node = await start(nothing);

    await expect(node.rpc("perm_getAccountsAllowlist")).rejects.toMatchObject({
      message: "Account allowlist has not been enabled",
    });
    await expect(node.rpc("perm_getNodesAllowlist")).rejects.toMatchObject({
      message: "Node allowlist has not been enabled",
    });
  });
});
