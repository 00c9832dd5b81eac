import { method, t } from "@plinth/core";
import { change, type PermCall, SUCCESS } from "./perm-call.js";

/** `perm_reloadPermissionsFromFile`: reads the files of both lists again. */
export const reloadPermissionsFromFile = method({
  summary: "Reads the files of both lists again; nothing changes when one of them is wrong.",
  result: t.text,
  example: { params: [], result: SUCCESS },
  handle: (_, { permissions }: PermCall) => change(() => permissions.reload()),
});
