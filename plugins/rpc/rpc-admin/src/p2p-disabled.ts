import { RpcError, type Runtime } from "@plinth/core";

/** The error of methods that need P2P on a node without it. */
export function p2pDisabled(): RpcError {
  return new RpcError(-32000, "P2P has been disabled. This functionality is not available");
}

/** Throws if P2P is disabled, in modes whose callers expect that. */
export function verifyAnswerable({
  network,
  compatibility,
}: Pick<Runtime, "network" | "compatibility">): void {
  if (!network.isEnabled && compatibility.mode === "besu") throw p2pDisabled();
}
