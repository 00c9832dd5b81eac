import { createPublicClient } from "viem";
import { localhost } from "viem/chains";
import { ipc } from "viem/node";

/** Queries the socket of a node: its chain, and the next block once `mine` has produced it. */
export async function askSocket(path, mine) {
  const client = createPublicClient({ chain: localhost, transport: ipc(path) });
  const chainId = await client.getChainId();
  const head = new Promise((resolve, reject) => {
    client.watchBlockNumber({
      onBlockNumber: (number) => resolve(Number(number)),
      onError: reject,
    });
  });
  const before = Number(await client.getBlockNumber());
  await mine();
  const result = { chainId, blocks: (await head) - before };
  (await client.transport.getRpcClient()).close();
  return result;
}
