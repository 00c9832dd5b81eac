import {
  definePlugin,
  hexToBytes,
  type Plugin,
  type Runtime,
  type SealedHeader,
} from "@plinth/core";
import { type DevChain, devChain } from "@plinth/plugin-consensus-dev/api";
import { ALICE } from "./accounts.js";
import { signTransaction, type TransactionFields } from "./dev-chain.js";

/** Produces blocks with exactly these transactions, with the next nonces of their senders. */
export type Mine = (
  ...blocks: readonly (readonly TransactionFields[])[]
) => Promise<readonly SealedHeader[]>;

/** A plugin that accesses the development chain, and produces blocks for a test. */
export function createMine(): {
  readonly plugin: Plugin;
  readonly mine: Mine;
  /** From now on blocks are produced on request only. */
  pause(): void;
} {
  // A restarted node continues in the same mode.
  let isPaused = false;
  let started: (Runtime & { readonly dev: DevChain }) | undefined;
  const pause = () => {
    isPaused = true;
    if (started !== undefined) started.dev.isAutomatic = false;
  };
  const plugin = definePlugin({
    name: "test-mine",
    dependencies: { dev: devChain },
    setup({ onStart }) {
      onStart((runtime) => {
        started = runtime;
        if (isPaused) pause();
      });
    },
  });
  const mine: Mine = async (...blocks) => {
    if (started === undefined) throw new Error("this node has no development chain to mine on");
    const headers: SealedHeader[] = [];
    for (const transactions of blocks) headers.push(await mineBlock(started, transactions));
    return headers;
  };
  return { plugin, mine, pause };
}

async function mineBlock(
  { chain, dev, pool }: Runtime & { readonly dev: DevChain },
  transactions: readonly TransactionFields[],
): Promise<SealedHeader> {
  const { isAutomatic } = dev;
  dev.isAutomatic = false;
  try {
    for (const fields of transactions) {
      const sender = (fields.from ?? ALICE).address;
      const nonce = Number(await chain.blocks.resolveMissing(() => pool.nextNonce(sender)));
      const signed = await signTransaction({ nonce, ...fields });
      await pool.submit(hexToBytes(signed));
    }
    return await dev.mine();
  } finally {
    dev.isAutomatic = isAutomatic;
  }
}
