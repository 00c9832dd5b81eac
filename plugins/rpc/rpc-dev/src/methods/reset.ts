import { method, RpcError, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `hardhat_reset`: resets the chain to the genesis block. */
export const reset = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary:
      "Resets the chain to the genesis block; drops pending transactions and all snapshots. Forking another chain is rejected.",
    params: { options: t.optional(t.json) },
    result: t.boolean,
    example: { params: [], result: true },
    async handle({ options }) {
      verifyNoFork(options);
      await snapshots.reset(holder.current);
      return true;
    },
  });

/** Throws if the caller requests the state of another chain; nothing has changed by then. */
export function verifyNoFork(options: unknown): void {
  const { forking, jsonRpcUrl = Object(forking).jsonRpcUrl } = Object(options);
  if ((forking ?? jsonRpcUrl ?? undefined) === undefined) return;
  const url = typeof jsonRpcUrl === "string" ? ` of ${jsonRpcUrl}` : "";
  throw RpcError.invalidParams(
    `forking: this chain cannot fork the state${url}: it has no remote source; nothing was changed. hardhat_reset without forking resets to block 0`,
  );
}
