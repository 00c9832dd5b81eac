import { Web3 } from "web3";
import { IpcProvider } from "web3-providers-ipc";

/** Queries the socket of a node: its chain, and the next block once `mine` has produced it. */
export async function askSocket(path, mine) {
  const provider = new IpcProvider(path);
  const web3 = new Web3(provider);
  const chainId = Number(await web3.eth.getChainId());
  const before = Number(await web3.eth.getBlockNumber());
  const subscription = await web3.eth.subscribe("newHeads");
  const head = new Promise((resolve, reject) => {
    subscription.on("data", ({ number }) => resolve(Number(number)));
    subscription.on("error", reject);
  });
  await mine();
  const result = { chainId, blocks: (await head) - before };
  provider.disconnect();
  return result;
}
