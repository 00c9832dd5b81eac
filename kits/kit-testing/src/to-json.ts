import { toHex, toQuantity } from "@plinth/core";

/**
 * A value of the node as JSON-RPC would encode it: amounts as quantities, bytes as hex.
 *
 * For comparing the results of `mine` and other helpers with those of a method.
 */
export function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return toQuantity(value);
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return toJson(Object.fromEntries(value));
  if (value instanceof Set) return toJson([...value]);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
}
