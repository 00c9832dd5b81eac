import { isIPv4, isIPv6, SocketAddress } from "node:net";
import { type Rlp, toHex } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";

/** The endpoint that a node claims. `tcp` is 0 if unknown. */
export interface Endpoint {
  readonly ip: string;
  readonly udp: number;
  readonly tcp: number;
}

/** A node as described by others. */
export interface Neighbor extends Endpoint {
  readonly id: NodeId;
}

/** Messages between nodes; numbers are the packet types. */
export type Message =
  | {
      readonly name: "Ping";
      readonly version: number;
      /** `undefined` if it is malformed, which is harmless. */
      readonly from: Endpoint | undefined;
      readonly to: Endpoint;
      readonly expiration: bigint;
      readonly enrSeq: bigint | undefined;
    }
  | {
      readonly name: "Pong";
      readonly to: Endpoint | undefined;
      readonly pingHash: Uint8Array;
      readonly expiration: bigint;
      readonly enrSeq: bigint | undefined;
    }
  | { readonly name: "FindNode"; readonly target: Uint8Array; readonly expiration: bigint }
  | {
      readonly name: "Neighbors";
      readonly nodes: readonly Neighbor[];
      readonly expiration: bigint;
    }
  | { readonly name: "ENRRequest"; readonly expiration: bigint }
  | { readonly name: "ENRResponse"; readonly requestHash: Uint8Array; readonly record: Rlp };

/** The name of a message kind. */
export type MessageName = Message["name"];

/** Malformed bytes; they get no response. */
export class InvalidPacket extends Error {}

/** The packet type of each kind. */
export const PACKET_TYPES: Readonly<Record<MessageName, number>> = {
  Ping: 1,
  Pong: 2,
  FindNode: 3,
  Neighbors: 4,
  ENRRequest: 5,
  ENRResponse: 6,
};

const KEY_BYTES = 64;
const HASH_BYTES = 32;
/** A Neighbors packet of 1280 bytes fits 13 nodes. */
const MAX_NEIGHBORS = 16;

/** Encodes a message as a list. */
export function messageToRlp(message: Message): Rlp {
  switch (message.name) {
    case "Ping": {
      const { version, from, to, expiration, enrSeq } = message;
      const sender = from === undefined ? [] : endpointToRlp(from);
      return [
        scalar(BigInt(version)),
        sender,
        endpointToRlp(to),
        scalar(expiration),
        ...seq(enrSeq),
      ];
    }
    case "Pong": {
      const { to, pingHash, expiration, enrSeq } = message;
      return [
        to === undefined ? [] : endpointToRlp(to),
        pingHash,
        scalar(expiration),
        ...seq(enrSeq),
      ];
    }
    case "FindNode":
      return [message.target, scalar(message.expiration)];
    case "Neighbors":
      return [message.nodes.map(neighborToRlp), scalar(message.expiration)];
    case "ENRRequest":
      return [scalar(message.expiration)];
    case "ENRResponse":
      return [message.requestHash, message.record];
  }
}

/** Decodes the list of a message; additional items are ignored (EIP-8). */
export function messageFromRlp(type: number, rlp: Rlp): Message {
  const items = listOf(rlp);
  switch (type) {
    case PACKET_TYPES.Ping:
      return {
        name: "Ping",
        version: Number(scalarOf(items[0])),
        from: findEndpoint(items[1]),
        to: endpointOf(items[2]),
        expiration: scalarOf(items[3]),
        enrSeq: items[4] === undefined ? undefined : lenientScalar(items[4]),
      };
    case PACKET_TYPES.Pong:
      return {
        name: "Pong",
        to: findEndpoint(items[0]),
        pingHash: bytesOf(items[1], HASH_BYTES),
        expiration: scalarOf(items[2]),
        enrSeq: items[3] === undefined ? undefined : lenientScalar(items[3]),
      };
    case PACKET_TYPES.FindNode:
      return {
        name: "FindNode",
        target: bytesOf(items[0], KEY_BYTES),
        expiration: scalarOf(items[1]),
      };
    case PACKET_TYPES.Neighbors: {
      const nodes = listOf(items[0]);
      if (nodes.length > MAX_NEIGHBORS) throw new InvalidPacket(`${nodes.length} neighbors`);
      return { name: "Neighbors", nodes: nodes.map(neighborOf), expiration: scalarOf(items[1]) };
    }
    case PACKET_TYPES.ENRRequest:
      return { name: "ENRRequest", expiration: scalarOf(items[0]) };
    case PACKET_TYPES.ENRResponse:
      return {
        name: "ENRResponse",
        requestHash: bytesOf(items[0], HASH_BYTES),
        record: listOf(items[1]),
      };
    default:
      throw new InvalidPacket(`unknown packet type ${type}`);
  }
}

/** The bytes of an IP address: 4 or 16. */
export function ipToBytes(ip: string): Uint8Array {
  if (isIPv4(ip)) return Uint8Array.from(ip.split(".").map(Number));
  if (!isIPv6(ip)) throw new InvalidPacket(`${ip} is not an IP address`);
  const [head = "", tail] = ip.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const last = tail === undefined ? [] : groups(tail);
  const first = groups(head);
  const zeros = Array<string>(8 - first.length - last.length).fill("0");
  return Buffer.from(
    [...first, ...zeros, ...last].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
}

/** The text of an IP address; IPv4-mapped IPv6 is shown as IPv4. */
export function ipFromBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, n) =>
    (((bytes[2 * n] ?? 0) << 8) | (bytes[2 * n + 1] ?? 0)).toString(16),
  );
  // The class formats addresses in their shortest form.
  const { address } = new SocketAddress({ address: groups.join(":"), family: "ipv6" });
  return address.startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;
}

function endpointToRlp({ ip, udp, tcp }: Endpoint): Rlp {
  return [ipToBytes(ip), scalar(BigInt(udp)), scalar(BigInt(tcp))];
}

function neighborToRlp({ ip, udp, tcp, id }: Neighbor): Rlp {
  const key = Buffer.from(id.slice(2), "hex");
  return [ipToBytes(ip), scalar(BigInt(udp)), scalar(BigInt(tcp)), key];
}

function neighborOf(item: Rlp): Neighbor {
  const items = listOf(item);
  return { ...endpointOf(items), id: toHex(bytesOf(items[3], KEY_BYTES)) };
}

function endpointOf(item: Rlp | undefined): Endpoint {
  const endpoint = findEndpoint(item);
  if (endpoint === undefined) throw new InvalidPacket("an endpoint is malformed");
  return endpoint;
}

function findEndpoint(item: Rlp | undefined): Endpoint | undefined {
  if (!Array.isArray(item)) return undefined;
  const [address, udp, tcp] = item as readonly Rlp[];
  if (!(address instanceof Uint8Array)) return undefined;
  const ip = ipFromBytes(address);
  const ports = [udp, tcp ?? new Uint8Array()].map(findPort);
  const [udpPort, tcpPort] = ports;
  if (ip === undefined || udpPort === undefined || tcpPort === undefined) return undefined;
  return { ip, udp: udpPort, tcp: tcpPort };
}

function findPort(item: Rlp | undefined): number | undefined {
  if (!(item instanceof Uint8Array) || item.length > 2) return undefined;
  return item.reduce((sum, byte) => sum * 256 + byte, 0);
}

function listOf(item: Rlp | undefined): readonly Rlp[] {
  if (Array.isArray(item)) return item;
  throw new InvalidPacket("a list was expected");
}

function bytesOf(item: Rlp | undefined, length: number): Uint8Array {
  if (item instanceof Uint8Array && item.length === length) return item;
  throw new InvalidPacket(`${length} bytes were expected`);
}

function scalarOf(item: Rlp | undefined): bigint {
  if (item instanceof Uint8Array && item.length <= 8 && item[0] !== 0) return lenientScalar(item);
  throw new InvalidPacket("a number of at most 64 bits was expected");
}

/** Some nodes write a number with leading zeros. */
function lenientScalar(item: Rlp): bigint {
  if (!(item instanceof Uint8Array) || item.length > 8) throw new InvalidPacket("not a number");
  return item.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

/** The shortest bytes of a number. */
export function scalar(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

function seq(enrSeq: bigint | undefined): readonly Uint8Array[] {
  return enrSeq === undefined ? [] : [scalar(enrSeq)];
}
