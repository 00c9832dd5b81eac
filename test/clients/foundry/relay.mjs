import { once } from "node:events";
import { WebSocket, WebSocketServer } from "ws";

/**
 * Relays between `cast` and the node, to observe what `cast` does not print: that a subscription
 * was accepted.
 */
export async function openRelay(target) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const subscribed = once(server, "connection").then(([client]) => join(client, target));
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    /** Resolves when the node has responded to `eth_subscribe`. */
    subscribed,
    kill() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function join(client, target) {
  const node = new WebSocket(target);
  const opened = once(node, "open");
  client.on("close", () => node.terminate());
  return new Promise((resolve, reject) => {
    let asked;
    client.on("message", async (bytes) => {
      const { id, method } = JSON.parse(bytes);
      if (method === "eth_subscribe") asked = id;
      await opened;
      node.send(String(bytes));
    });
    node.on("message", (bytes) => {
      const { id, error } = JSON.parse(bytes);
      client.send(String(bytes));
      if (id === undefined || id !== asked) return;
      if (error === undefined) resolve();
      else reject(new Error(error.message));
    });
  });
}
