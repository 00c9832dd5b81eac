// A node inside another program: no command line, no files, data in memory.

import { definePlugin, method, t } from "@plinth/core";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evm from "@plinth/plugin-evm-plinth";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcWeb3 from "@plinth/plugin-rpc-web3";
import transportHttp from "@plinth/plugin-transport-http";

const answers = definePlugin({
  name: "rpc-answers",
  setup(node) {
    node.rpc.namespace("answers", {
      toEverything: method({
        summary: "The answer to everything.",
        result: t.quantity,
        handle: () => 42n,
      }),
    });
  },
});

const node = await createNode({
  plugins: [evm, consensusDev, transportHttp, rpcEth, rpcWeb3, answers],
  genesis: { config: { chainId: 2026, dev: {} } },
  options: {
    keyValueStorage: "memory",
    rpcHttpEnabled: true,
    rpcHttpPort: 0,
    rpcHttpApi: ["ETH", "WEB3", "ANSWERS"],
  },
});
await node.start();

const [endpoint] = node.rpc.endpoints();
const response = await fetch(`http://127.0.0.1:${endpoint.address.port}`, {
  method: "POST",
  body: JSON.stringify([
    { jsonrpc: "2.0", id: 1, method: "eth_chainId" },
    { jsonrpc: "2.0", id: 2, method: "answers_toEverything" },
  ]),
});
for (const { id, result } of await response.json()) console.log(`${id}: ${result}`);

await node.stop();
