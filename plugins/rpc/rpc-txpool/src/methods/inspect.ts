import { method, type Runtime, type Transaction, t } from "@plinth/core";
import { withChecksum } from "../checksum.js";
import { bySender, withChecksums } from "../entries.js";

/** `txpool_inspect`: one line per transaction in the pool, by sender and nonce. */
export const inspect = method({
  summary: "Describes each transaction in the pool in one line, by sender and nonce.",
  absentIn: "besu",
  result: t.json,
  example: { params: [], result: { pending: {}, queued: {} } },
  handle(_, runtime: Runtime) {
    const { pending, queued } = bySender(runtime.pool.entries(), ({ transaction }) =>
      lineOf(transaction),
    );
    return { pending: withChecksums(pending), queued: withChecksums(queued) };
  },
});

function lineOf({ to, value, gasLimit, gasPrice, maxFeePerGas }: Transaction): string {
  const target = to === undefined ? "contract creation" : withChecksum(to);
  return `${target}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas ?? gasPrice ?? 0n} wei`;
}
