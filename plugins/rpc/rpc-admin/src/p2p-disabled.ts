import { RpcError, type Runtime } from "@plinth/core";

/** The answer of methods that need connections on a node without any. */
export function p2pDisabled(): RpcError {
  return new RpcError(-32000, "P2P has been disabled. This functionality is not available");
}

/** Refuses questions about a network that is not there, for callers who expect that. */
export function verifyAnswerable({
  network,
  compatibility,
}: Pick<Runtime, "network" | "compatibility">): void {
  if (!network.isEnabled && compatibility.mode === "besu") throw p2pDisabled();
}
