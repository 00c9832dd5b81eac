import { RpcError } from "@plinth/core";
import type { WorkDesk, WorkPackage } from "../work-desk.js";

/** What is to be done; an error where there is nothing, or no proof of work at all. */
export function findWork(desk: WorkDesk): WorkPackage {
  if (!desk.isOpen) throw RpcError.internal();
  const work = desk.find();
  if (work === undefined) throw new RpcError(-32000, "No mining work available yet");
  return work;
}
