import { method, t } from "@plinth/core";
import { change, type PermCall, SUCCESS } from "./perm-call.js";

/** `perm_reloadPermissionsFromFile`: reloads the files of both lists. */
export const reloadPermissionsFromFile = method({
  summary: "Reloads the files of both lists; nothing changes if one of them is invalid.",
  result: t.text,
  example: { params: [], result: SUCCESS },
  handle: (_, { permissions }: PermCall) => change(() => permissions.reload()),
});
