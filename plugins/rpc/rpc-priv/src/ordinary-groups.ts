import { type Compatibility, RpcError } from "@plinth/core";
import type { PrivacyNode } from "@plinth/plugin-privacy/api";

/** Throws if groups manage their members by contract: managers then have no named groups. */
export function verifyOrdinary(
  { isFlexible }: Pick<PrivacyNode, "isFlexible">,
  { mode }: Pick<Compatibility, "mode">,
): void {
  if (!isFlexible) return;
  throw RpcError.methodNotEnabled(
    mode === "besu"
      ? undefined
      : "--privacy-flexible-groups-enabled is set, so contracts manage the members of groups",
  );
}
