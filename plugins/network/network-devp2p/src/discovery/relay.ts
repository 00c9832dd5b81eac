import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

const NEVER = new BlockList();
NEVER.addSubnet("0.0.0.0", 8, "ipv4");
NEVER.addSubnet("224.0.0.0", 3, "ipv4");
NEVER.addAddress("::", "ipv6");
NEVER.addSubnet("ff00::", 8, "ipv6");

const isIn = (list: BlockList, ip: string) =>
  isIP(ip) !== 0 && list.check(ip, isIP(ip) === 4 ? "ipv4" : "ipv6");

/**
 * Whether an address is useful to another node: a loopback address only to nodes on this machine.
 */
export function isRelayable(ip: string, other: string): boolean {
  if (isIP(ip) === 0 || isIn(NEVER, ip)) return false;
  return !isIn(LOOPBACK, ip) || isIn(LOOPBACK, other);
}
