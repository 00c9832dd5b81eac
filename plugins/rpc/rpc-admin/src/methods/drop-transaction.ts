import { method, type Runtime, t } from "@plinth/core";

/** `admin_dropTransaction`: takes a transaction out of the pool, such as one that is set aside. */
export const dropTransaction = method({
  summary: "Takes a transaction out of the pool; false when it does not wait there.",
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
