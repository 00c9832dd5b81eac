// Adds accounts to a list one after the other, and prints a line for each added one.

import { definePlugin } from "@plinth/core";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import permissioningLocal from "@plinth/plugin-permissioning-local";
import { localPermissions } from "@plinth/plugin-permissioning-local/api";

const [path, count] = process.argv.slice(2);

const writer = definePlugin({
  name: "writer",
  dependencies: { permissions: localPermissions },
  setup: ({ hooks }) =>
    hooks.lifecycle.ready.tap(async (_, { permissions: { accounts } }) => {
      for (let number = 0; number < Number(count); number++) {
        await accounts.add([`0x${number.toString(16).padStart(40, "0")}`]);
        process.stdout.write("added\n");
      }
    }),
});

const node = await createNode({
  plugins: [evmPlinth, consensusDev, permissioningLocal, writer],
  options: {
    keyValueStorage: "memory",
    permissionsAccountsConfigFileEnabled: true,
    permissionsAccountsConfigFile: path,
  },
  genesis: { config: { chainId: 1337, dev: {} }, alloc: {} },
});
await node.start();
