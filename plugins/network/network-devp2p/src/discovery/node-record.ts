import { encodeRlp, getCrypto, keccak256, type Rlp, toHex } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { type Endpoint, InvalidPacket, ipFromBytes, ipToBytes, scalar } from "./messages.js";

/** Maximum size of a record (EIP-778). */
const MAX_RECORD_BYTES = 300;
const SIGNATURE_BYTES = 64;

/** A signed description of a node (EIP-778). */
export interface NodeRecord {
  readonly rlp: Rlp;
  readonly seq: bigint;
  /** Values by key; most are bytes, some are lists. */
  readonly pairs: ReadonlyMap<string, Rlp>;
}

/** Creates and signs the record of this node. */
export async function createRecord(
  nodeKey: NodeKey,
  { seq, endpoint }: { readonly seq: bigint; readonly endpoint: Endpoint },
): Promise<NodeRecord> {
  const ip = ipToBytes(endpoint.ip);
  const suffix = ip.length === 4 ? "" : "6";
  const pairs = new Map<string, Rlp>([
    ["id", Buffer.from("v4")],
    [`ip${suffix}`, ip],
    ["secp256k1", compress(nodeKey.publicKey)],
    [`tcp${suffix}`, scalar(BigInt(endpoint.tcp))],
    [`udp${suffix}`, scalar(BigInt(endpoint.udp))],
  ]);
  const content = [scalar(seq), ...flatten(pairs)];
  const { r, s } = await nodeKey.sign(toHex(keccak256(encodeRlp(content))));
  return { rlp: [Buffer.concat([r, s]), ...content], seq, pairs };
}

/**
 * Decodes a record of a node with a known public key; throws `InvalidPacket` if it is not its own.
 */
export function readRecord(rlp: Rlp, publicKey: Uint8Array): NodeRecord {
  if (encodeRlp(rlp).length > MAX_RECORD_BYTES) throw new InvalidPacket("the record is too large");
  if (rlp instanceof Uint8Array) throw new InvalidPacket("the record is not a list");
  const [signature, seq, ...rest] = rlp;
  if (!(signature instanceof Uint8Array) || signature.length !== SIGNATURE_BYTES) {
    throw new InvalidPacket("the record has no signature");
  }
  if (!(seq instanceof Uint8Array) || seq.length > 8) throw new InvalidPacket("no sequence number");
  const pairs = readPairs(rest);
  const hash = keccak256(encodeRlp(rlp.slice(1)));
  if (!isSignedBy(publicKey, hash, signature)) throw new InvalidPacket("a foreign record");
  const number = seq.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return { rlp, seq: number, pairs };
}

/** The text form: `enr:` and base64url. */
export function formatRecord({ rlp }: NodeRecord): string {
  return `enr:${Buffer.from(encodeRlp(rlp)).toString("base64url")}`;
}

/** The endpoint in a record. */
export function findEndpoint({ pairs }: NodeRecord): Endpoint | undefined {
  const bytes = (key: string) => {
    const value = pairs.get(key);
    return value instanceof Uint8Array ? value : undefined;
  };
  const ip = ipFromBytes(bytes("ip") ?? new Uint8Array());
  const port = (key: string) => bytes(key)?.reduce((sum, byte) => sum * 256 + byte, 0) ?? 0;
  if (ip === undefined) return undefined;
  const endpoint = { ip, udp: port("udp"), tcp: port("tcp") };
  return endpoint.udp > 65_535 || endpoint.tcp > 65_535 ? undefined : endpoint;
}

function readPairs(items: readonly Rlp[]): ReadonlyMap<string, Rlp> {
  const pairs = new Map<string, Rlp>();
  let last = "";
  for (let index = 0; index < items.length; index += 2) {
    const [key, value] = [items[index], items[index + 1]];
    if (!(key instanceof Uint8Array) || value === undefined) throw new InvalidPacket("half a pair");
    const name = Buffer.from(key).toString("latin1");
    if (name <= last) throw new InvalidPacket("the keys of the record are not in order");
    last = name;
    pairs.set(name, value);
  }
  return pairs;
}

function flatten(pairs: ReadonlyMap<string, Rlp>): readonly Rlp[] {
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([key, value]) => [Buffer.from(key, "latin1"), value]);
}

/** A signature without its recovery bit: either bit may be the right one. */
function isSignedBy(publicKey: Uint8Array, hash: Uint8Array, signature: Uint8Array): boolean {
  const parts = { r: signature.slice(0, 32), s: signature.slice(32) };
  return ([0, 1] as const).some((recovery) => {
    try {
      return Buffer.compare(getCrypto().recover(hash, { ...parts, recovery }), publicKey) === 0;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
}

function compress(publicKey: Uint8Array): Uint8Array {
  const isOdd = ((publicKey[63] ?? 0) & 1) === 1;
  return Buffer.concat([Uint8Array.of(isOdd ? 3 : 2), publicKey.subarray(0, 32)]);
}
