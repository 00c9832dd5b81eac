import { findToken, readPermissions } from "./session.js";

/**
 * Whether the caller may call a method, as far as the page knows: without a token the listener
 * decides, with one the permissions that it lists.
 */
export function mayCall(method: string): boolean {
  const token = findToken();
  if (token === undefined) return true;
  const permissions = readPermissions(token);
  const [namespace = "", ...rest] = method.split("_");
  const wanted = ["*:*", `${namespace}:*`, `${namespace}:${rest.join("_")}`];
  return permissions.length === 0 || wanted.some((each) => permissions.includes(each));
}
