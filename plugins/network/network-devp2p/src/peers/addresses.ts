import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

const LOCAL = new BlockList();
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  LOCAL.addSubnet(network, bits, "ipv4");
}
LOCAL.addAddress("::1", "ipv6");
LOCAL.addSubnet("fc00::", 7, "ipv6");
LOCAL.addSubnet("fe80::", 10, "ipv6");

/** Number of address parts that identify a subnet: a /24 of IPv4, a /64 of IPv6. */
const IPV4_PARTS = 3;
const IPV6_PARTS = 4;
const ALL_IPV6_PARTS = 8;

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, familyOf(address));
}

/** Whether an address belongs to a private network, in which all nodes may share a subnet. */
export function isLocal(address: string): boolean {
  return LOCAL.check(address, familyOf(address));
}

/** The subnet that usually has one owner: a /24, or a /64 of IPv6. */
export function subnetOf(address: string): string {
  if (isIP(address) !== 6) return address.split(".").slice(0, IPV4_PARTS).join(".");
  const [head = "", tail] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : ALL_IPV6_PARTS - front.length - back.length;
  const parts = [...front, ...Array.from({ length: missing }, () => "0"), ...back];
  return parts
    .slice(0, IPV6_PARTS)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":");
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
