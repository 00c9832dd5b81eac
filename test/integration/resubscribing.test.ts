import { once } from "node:events";
import rpcSubscribe from "@plinth/plugin-rpc-subscribe";
import transportWs from "@plinth/plugin-transport-ws";
import { createTestNode, devChain } from "@plinth/testing";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "../support/free-port.js";

/** Subscribes to new blocks like a reconnecting library; resolves once the node has accepted. */
async function subscribe(url: string) {
  const socket = new WebSocket(url);
  await once(socket, "open");
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
  const [answer] = await once(socket, "message");
  return { socket, id: JSON.parse(String(answer)).result as string };
}

it("a subscription ends with 1001 at a stop, and a new one receives further blocks", async () => {
  const port = await freePort();
  const options = { rpcWsEnabled: true, rpcWsPort: port, rpcWsApi: ["ETH"] };
  await using node = await createTestNode({
    plugins: [transportWs, rpcSubscribe, ...devChain],
    options,
  });
  const url = `ws://127.0.0.1:${port}`;
  const first = await subscribe(url);
  const closed = once(first.socket, "close");

  await node.restart();

  // Going away: the code after which libraries reconnect.
  expect((await closed)[0]).toBe(1001);
  const { socket, id } = await subscribe(url);
  const heard = once(socket, "message");
  await node.mine([]);
  const { params } = JSON.parse(String((await heard)[0]));
  expect(params).toMatchObject({ subscription: id, result: { number: "0x1" } });
  socket.terminate();
});
