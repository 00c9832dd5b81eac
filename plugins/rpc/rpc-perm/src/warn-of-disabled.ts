import type { Runtime } from "@plinth/core";
import type { Permissions } from "@plinth/plugin-permissioning-local/api";

/** The methods answer errors only where no list is enabled; an operator who offers them should know. */
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
