import { RpcError, type Runtime } from "@plinth/core";

/** Making blocks; a chain whose engine makes none has nothing to start or stop. */
export function productionOf({
  production,
}: Pick<Runtime, "production">): NonNullable<Runtime["production"]> {
  if (production !== undefined) return production;
  throw RpcError.invalidRequest();
}
