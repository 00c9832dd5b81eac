import { type Call, RpcError } from "@plinth/core";
import type { RemoteSealer, WorkPackage } from "../remote-sealer.js";

/** The current work; throws if there is none, or the chain has no proof of work. */
export function findWork(
  sealer: RemoteSealer,
  { compatibility }: Pick<Call, "compatibility">,
): WorkPackage {
  if (!sealer.isOpen) {
    throw compatibility.mode === "besu"
      ? RpcError.internal()
      : RpcError.methodNotEnabled("this chain has no proof of work");
  }
  const work = sealer.find();
  if (work === undefined) throw new RpcError(-32000, "No mining work available yet");
  return work;
}
