import { type BuildPolicy, RpcError, type Runtime } from "@plinth/core";

/** What is put into blocks; a chain without blocks has nothing to set. */
export function buildingOf({ building }: Pick<Runtime, "building">): BuildPolicy {
  if (building !== undefined) return building;
  throw RpcError.invalidRequest();
}
