import type { Identity } from "@plinth/core/rpc";

const EVERYTHING = "*:*";

/**
 * Whether a caller holds a permission: directly, through its namespace, or through the wildcard.
 */
export function holds({ permissions }: Identity, permission: string): boolean {
  const [namespace] = permission.split(":");
  const whole = `${namespace}:*`;
  return permissions.some((held) => held === permission || held === whole || held === EVERYTHING);
}
