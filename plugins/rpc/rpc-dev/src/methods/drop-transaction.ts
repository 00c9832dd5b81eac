import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_dropTransaction`: removes a transaction from the pool. */
export const dropTransaction = (holder: DevHolder) =>
  method({
    summary: "Removes a transaction from the pool; false if it is not there.",
    params: { hash: t.hash },
    result: t.boolean,
    example: { params: [`0x${"ab".repeat(32)}`], result: false },
    async handle({ hash }) {
      const { pool } = holder.current;
      const waits = pool.find(hash) !== undefined;
      await pool.remove(hash);
      return waits;
    },
  });
