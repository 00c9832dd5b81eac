import { RpcError, type Runtime } from "@plinth/core";

/** Block production; throws if the engine of the chain produces no blocks. */
export function productionOf({
  production,
}: Pick<Runtime, "production">): NonNullable<Runtime["production"]> {
  if (production !== undefined) return production;
  throw RpcError.invalidRequest();
}
