import type { ProducerHost, Runtime } from "@plinth/core";
import type { AccountChange, DevChain } from "./api.js";
import type { BlockTime } from "./block-time.js";
import type { NextBlock } from "./next-block.js";
import type { DevProduction } from "./production.js";
import type { StateChanges } from "./state-changes.js";
import type { Waiting } from "./waiting.js";

/** Combines the test controls of the chain with its block production. */
export function openDevChain(parts: {
  readonly runtime: Runtime;
  readonly production: DevProduction;
  readonly changes: StateChanges;
  readonly time: BlockTime;
  readonly nextBlock: NextBlock;
  readonly waiting: Waiting;
}): DevChain {
  const { runtime, production, changes, time, nextBlock, waiting } = parts;
  const sealChanges = async (
    made: readonly AccountChange[],
    { head, build, submit }: ProducerHost,
  ) => {
    const extraData = changes.add(made);
    return submit(await build({ timestamp: head().timestamp, extraData, isEmpty: true }));
  };
  return {
    mine: (timestamp) => production.mine(timestamp),
    change: (made) => production.between((host) => sealChanges(made, host)),
    changeFrom: (make) =>
      production.between(async (host) => {
        const { blocks } = runtime.chain;
        const change = await blocks.resolveMissing(() => make(host.head()));
        return sealChanges([change], host);
      }),
    setHead: async (hash) => {
      const move = () => runtime.chain.writer.setHead(hash);
      // Nothing interferes while no blocks are produced.
      await (production.isRunning ? production.between(move) : move());
    },
    settled: async (hash) => {
      if (!production.isRunning || !production.isAutomatic) return;
      const settled = waiting.wait(hash);
      // It may already be in a block, or no block can include it: then nothing else would end the
      // wait.
      production.wake();
      await settled;
    },
    get isAutomatic() {
      return production.isAutomatic;
    },
    set isAutomatic(isAutomatic) {
      production.isAutomatic = isAutomatic;
    },
    get intervalMs() {
      return production.intervalMs;
    },
    set intervalMs(intervalMs) {
      production.intervalMs = intervalMs;
    },
    get nextBlockOverrides() {
      return nextBlock.nextBlockOverrides;
    },
    set nextBlockOverrides(nextBlockOverrides) {
      nextBlock.nextBlockOverrides = nextBlockOverrides;
    },
    get time() {
      return time.value;
    },
    set time(value) {
      time.value = value;
    },
  };
}
