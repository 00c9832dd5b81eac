import type { Logger } from "@plinth/core";
import type { PermissionSettings } from "./local-permissions.js";

/** A file without its list being enabled is probably a mistake. */
export function warnOfUnused(settings: PermissionSettings, log: Logger): void {
  const {
    permissionsAccountsConfigFile: accounts,
    permissionsAccountsConfigFileEnabled: usesAccounts,
    permissionsNodesConfigFile: nodes,
    permissionsNodesConfigFileEnabled: usesNodes,
  } = settings;
  for (const [list, file, isEnabled] of [
    ["accounts", accounts, usesAccounts],
    ["nodes", nodes, usesNodes],
  ] as const) {
    if (file === undefined || isEnabled) continue;
    log.warn(
      `--permissions-${list}-config-file has no effect without --permissions-${list}-config-file-enabled`,
    );
  }
}
