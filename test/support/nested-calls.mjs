// Runs calls nested to the maximum depth, on the main thread and in a worker, and prints the
// results.
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { evmDrivers } from "@plinth/core/evm";
import { createNode } from "@plinth/node";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { createMemoryState } from "../performance/evm/memory-state.mjs";

const SENDER = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const CONTRACT = "0x00000000000000000000000000000000000000cc";
/** Calls itself with all gas, and then counts in slot 0. */
const RECURSIVE = "0x60006000600060006000305af15060005460010160005500";

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { resourceLimits: { stackSizeMb: 1 } });
  const inWorker = new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  process.stdout.write(JSON.stringify({ main: await nest(), worker: await inWorker }));
} else {
  parentPort.postMessage(await nest());
}

async function nest() {
  const node = await createNode({ plugins: [evmPlinth] });
  const evm = await node.driver(evmDrivers, "plinth").create({ chainId: 1n });
  const state = createMemoryState({ [SENDER]: { balance: 1n }, [CONTRACT]: { code: RECURSIVE } });
  const block = {
    // All but a 64th is forwarded, so that much gas reaches the deepest frame.
    fork: "berlin",
    number: 1n,
    timestamp: 1n,
    gasLimit: 10n ** 9n,
    difficulty: 1n,
    mixHash: `0x${"00".repeat(32)}`,
    feeRecipient: `0x${"00".repeat(20)}`,
    hashOf: () => `0x${"00".repeat(32)}`,
  };
  const message = {
    from: SENDER,
    to: CONTRACT,
    data: new Uint8Array(),
    value: 0n,
    gasLimit: 2n ** 52n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
  const { outcome } = await evm.runMessage(message, { block, state });
  return { outcome, frames: Number(state.getStorage(CONTRACT, `0x${"00".repeat(32)}`)) };
}
