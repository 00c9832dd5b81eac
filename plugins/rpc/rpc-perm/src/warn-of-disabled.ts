import type { Runtime } from "@plinth/core";
import type { Permissions } from "@plinth/plugin-permissioning-local/api";

/** If no list is enabled, every method returns an error; warns the operator who offers them. */
export function warnOfDisabled({
  permissions: { accounts, nodes },
  rpc,
  log,
}: Pick<Runtime, "rpc" | "log"> & { readonly permissions: Permissions }): void {
  const isOffered = rpc
    .endpoints()
    .some((endpoint) => rpc.methods(endpoint).some(({ fullName }) => fullName.startsWith("perm_")));
  if (!isOffered || accounts !== undefined || nodes !== undefined) return;
  log.warn("Permissions are disabled. Cannot enable PERM APIs when not using Permissions.");
}
