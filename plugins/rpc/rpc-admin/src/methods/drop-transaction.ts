import { method, type Runtime, t } from "@plinth/core";

/** `admin_dropTransaction`: removes a transaction from the pool, such as one that is set aside. */
export const dropTransaction = method({
  summary: "Removes a transaction from the pool; false if it is not there.",
  absentIn: "besu",
  params: { hash: t.hash },
  exactParams: true,
  result: t.boolean,
  example: { params: [`0x${"ab".repeat(32)}`], result: false },
  async handle({ hash }, { pool }: Runtime) {
    const waits = pool.find(hash) !== undefined;
    await pool.remove(hash);
    return waits;
  },
});
