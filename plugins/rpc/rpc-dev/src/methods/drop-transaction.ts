import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";

/** `hardhat_dropTransaction`: takes a transaction out of the pool. */
export const dropTransaction = (holder: DevHolder) =>
  method({
    summary: "Takes a transaction out of the pool; false when it does not wait there.",
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
