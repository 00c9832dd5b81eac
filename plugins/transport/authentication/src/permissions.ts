import type { Identity } from "@plinth/core/rpc";

const EVERYTHING = "*:*";

/** Whether a caller may do what needs a permission: it holds that, all of its namespace, or everything. */
export function holds({ permissions }: Identity, permission: string): boolean {
  const [namespace] = permission.split(":");
  const whole = `${namespace}:*`;
  return permissions.some((held) => held === permission || held === whole || held === EVERYTHING);
}
