import { writeFileSync } from "node:fs";
import { systemClock } from "@plinth/core";
import permissioningLocal from "@plinth/plugin-permissioning-local";
import rpcPerm from "@plinth/plugin-rpc-perm";
import { createTestNode, MemoryNetwork } from "@plinth/testing";
import { bothTransports, connectBoth, offerOverBoth } from "./both-interfaces.js";
import type { TemporaryFolder } from "./temporary-folder.js";

export const LISTED = `0x${"aa".repeat(20)}`;
export const LISTED_NODE = `enode://${"aa".repeat(64)}@127.0.0.1:30303`;

export type PermissionNode = Awaited<ReturnType<typeof startPermissions>>;

/** A node with an account and a node on its allowlists, over HTTP and WebSocket. */
export async function startPermissions(folder: TemporaryFolder) {
  const file = folder.file("permissions.toml");
  const write = (text = FILE) => writeFileSync(file, text);
  write();
  const network = new MemoryNetwork({ clock: systemClock });
  const node = await createTestNode({
    plugins: [permissioningLocal, rpcPerm, network.plugin("n"), ...bothTransports],
    options: {
      ...offerOverBoth(["PERM"]),
      networkDriver: "memory",
      permissionsAccountsConfigFileEnabled: true,
      permissionsAccountsConfigFile: file,
      permissionsNodesConfigFileEnabled: true,
      permissionsNodesConfigFile: file,
    },
  });
  const interfaces = await connectBoth(node.node);
  return {
    ...interfaces,
    /** Changes the file; by default to its initial content. */
    write,
    /** Reads the initial content of the file. */
    async reset() {
      write();
      await interfaces.http("perm_reloadPermissionsFromFile");
    },
    async [Symbol.asyncDispose]() {
      interfaces[Symbol.dispose]();
      await node.stop();
    },
  };
}

const FILE = `accounts-allowlist=["${LISTED}"]\nnodes-allowlist=["${LISTED_NODE}"]\n`;
