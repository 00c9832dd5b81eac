import { encodeRlp, keccak256 } from "@plinth/core";

/** The id of the group formed by the parties of a transaction. */
export function legacyGroupId(members: readonly Uint8Array[]): Uint8Array {
  return hashMembers(members);
}

/** Hashes the members of a group, in any order, with an optional seed. */
export function hashMembers(members: readonly Uint8Array[], seed?: Uint8Array): Uint8Array {
  const distinct = new Map(members.map((member) => [Buffer.from(member).toString("hex"), member]));
  const sorted = [...distinct.values()]
    .map((member) => ({ member, order: javaHash(member) }))
    .sort((a, b) => a.order - b.order)
    .map(({ member }) => member);
  return keccak256(encodeRlp(seed === undefined ? sorted : [...sorted, seed]));
}

/** Members are ordered by Java's hash code of a byte array. */
function javaHash(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0, 1);
}
