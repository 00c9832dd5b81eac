import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `anvil_dropAllTransactions`: empties the pool. */
export const dropAllTransactions = (holder: DevHolder) =>
  method({
    summary: "Removes every transaction from the pool.",
    result: t.json,
    example: { params: [], result: null },
    async handle() {
      const { pool } = holder.current;
      for (const { hash } of pool.all()) await pool.remove(hash);
      return null;
    },
  });

/** `anvil_removePoolTransactions`: removes the transactions of one sender from the pool. */
export const removePoolTransactions = (holder: DevHolder) =>
  method({
    summary: "Removes every transaction of a sender from the pool.",
    params: { address: t.address },
    result: t.json,
    example: { params: ["0x00000000000000000000000000000000000000b0"], result: null },
    async handle({ address }) {
      const { pool } = holder.current;
      for (const { hash, sender } of pool.all()) if (sender === address) await pool.remove(hash);
      return null;
    },
  });
