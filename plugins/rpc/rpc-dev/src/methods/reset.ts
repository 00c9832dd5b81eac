import { method, RpcError, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

/** `hardhat_reset`: goes back to the first block. */
export const reset = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary:
      "Goes back to the first block; what waits is dropped, and so is every snapshot. A fork of another chain is refused.",
    params: { options: t.optional(t.json) },
    result: t.boolean,
    example: { params: [], result: true },
    async handle({ options }) {
      verifyNoFork(options);
      await snapshots.reset(holder.current);
      return true;
    },
  });

/** Throws when the caller asks for the state of another chain; nothing has changed by then. */
export function verifyNoFork(options: unknown): void {
  const { forking, jsonRpcUrl = Object(forking).jsonRpcUrl } = Object(options);
  if ((forking ?? jsonRpcUrl ?? undefined) === undefined) return;
  const url = typeof jsonRpcUrl === "string" ? ` of ${jsonRpcUrl}` : "";
  throw RpcError.invalidParams(
    `forking: this chain cannot fork the state${url}: it has no remote source; nothing was changed. hardhat_reset without forking goes back to block 0`,
  );
}
