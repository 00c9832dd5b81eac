import { EventEmitter, once } from "node:events";
import { createPublicClient, webSocket } from "viem";
import { localhost } from "viem/chains";

/** Watches the numbers of new blocks; the transport reconnects after a while. */
export async function watchHeads(url, delay) {
  const transport = webSocket(url, { reconnect: { delay } });
  const client = createPublicClient({ chain: localhost, transport });
  const heard = new EventEmitter();
  const numbers = [];
  client.watchBlockNumber({
    onBlockNumber: (number) => {
      numbers.push(Number(number));
      heard.emit("number");
    },
    onError: () => heard.emit("lost"),
  });
  await client.getBlockNumber();
  const rpc = await client.transport.getRpcClient();
  return {
    async next() {
      if (numbers.length === 0) await once(heard, "number");
      return numbers.shift();
    },
    /** Resolves when requests succeed again, and the subscription is restored. */
    async connected() {
      while (rpc.subscriptions.size === 0 || rpc.socket.readyState !== 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await client.getBlockNumber();
    },
    close: () => rpc.close(),
  };
}
