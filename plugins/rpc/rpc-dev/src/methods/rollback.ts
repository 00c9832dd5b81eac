import { method, RpcError, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { Dev, DevHolder } from "../dev.js";
import { mineBlocks } from "../mine-blocks.js";
import { reorgTransaction, submitAll } from "../reorg-transactions.js";
import { withRpcErrors } from "../with-rpc-errors.js";

/** `anvil_rollback`: removes the last blocks. */
export const rollback = (holder: DevHolder) =>
  method({
    summary: "Removes the last blocks and their transactions.",
    params: { depth: t.optional(amount, 1n) },
    result: t.json,
    example: { params: [1], result: null },
    async handle({ depth }) {
      await goBack(depth, holder.current);
      return null;
    },
  });

/** `anvil_reorg`: replaces the last blocks by as many others. */
export const reorg = (holder: DevHolder) =>
  method({
    summary:
      "Replaces the last blocks by as many new ones; transactions may be given with the number of their new block, from 0.",
    params: {
      depth: amount,
      transactions: t.optional(t.array(reorgTransaction), []),
    },
    result: t.json,
    example: { params: [2, []], result: null },
    async handle({ depth, transactions }) {
      const { current } = holder;
      const stray = transactions.find(({ block }) => block >= depth);
      if (stray !== undefined) {
        throw RpcError.invalidParams(
          `transactions: block ${stray.block}, at most ${depth - 1n} with a depth of ${depth}`,
        );
      }
      const { isAutomatic } = current.dev;
      const { hash } = current.blocks.head();
      current.dev.isAutomatic = false;
      try {
        await goBack(depth, current);
        for (let index = 0n; index < depth; index++) {
          await submitAll(
            transactions.filter(({ block }) => block === index),
            current,
          );
          await mineBlocks({ count: 1n }, current);
        }
      } catch (error) {
        // An invalid transaction must not remove the blocks that were to be replaced.
        await withRpcErrors(current.dev.setHead(hash));
        throw error;
      } finally {
        current.dev.isAutomatic = isAutomatic;
      }
      return null;
    },
  });

async function goBack(depth: bigint, { blocks, dev }: Dev): Promise<void> {
  const { number } = blocks.head();
  const target = depth > number ? undefined : blocks.findHeader(number - depth);
  if (target === undefined) throw RpcError.invalidParams(`depth: ${depth}, at most ${number}`);
  await withRpcErrors(dev.setHead(target.hash));
}
