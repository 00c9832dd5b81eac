import { isIPv6 } from "node:net";

/** The 16 bytes of an IP address; IPv4 is mapped into IPv6. */
export function addressBytes(host: string): Uint8Array {
  return Buffer.from(isIPv6(host) ? groupsOf(host) : `${"00".repeat(10)}ffff${hexOf(host)}`, "hex");
}

function hexOf(address: string): string {
  const bytes = address.split(".").map(Number);
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** All eight groups, including those abbreviated by `::`. */
function groupsOf(address: string): string {
  const [before = "", after] = withGroups(address).split("::");
  const left = before.split(":").filter(Boolean);
  const right = after?.split(":").filter(Boolean) ?? [];
  const missing = after === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...new Array<string>(missing).fill("0"), ...right];
  return groups.map((group) => group.padStart(4, "0")).join("");
}

/** Rewrites an embedded IPv4 address as hex groups. */
function withGroups(address: string): string {
  const [, start, end] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  if (start === undefined || end === undefined) return address;
  const digits = hexOf(end);
  return `${start}${digits.slice(0, 4)}:${digits.slice(4)}`;
}
