import { hashMembers, KEY_BYTES } from "@plinth/kit-enclave";
import { FieldReader, FieldWriter } from "../codec/binary.js";
import { MalformedBytes } from "../codec/errors.js";

/** Origin of a group: created explicitly, or formed by the parties of a transaction. */
export const GROUP_TYPES = ["LEGACY", "PANTHEON", "RESIDENT"] as const;
export const GROUP_STATES = ["ACTIVE", "DELETED"] as const;

/** A group without its id, which is derived from it. */
export interface PrivacyGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly Uint8Array[];
  readonly seed: Uint8Array;
  readonly type: (typeof GROUP_TYPES)[number];
  readonly state: (typeof GROUP_STATES)[number];
}

/** Placeholder seed for looking up groups by their members. */
const LOOKUP_SEED = Buffer.from("5375ba871e5c3d0f1d055b5da0ac02ea035bed38", "hex");

/** The id that identifies a group everywhere. */
export function groupIdOf({ type, members, seed }: PrivacyGroup): Uint8Array {
  return type === "PANTHEON" ? hashMembers(members, seed) : hashMembers(members);
}

/** Id shared by all groups of the same members. */
export function lookupIdOf(members: readonly Uint8Array[]): Uint8Array {
  return hashMembers(members, LOOKUP_SEED);
}

/** Whether a key is among others. */
export function includesKey(keys: readonly Uint8Array[], key: Uint8Array): boolean {
  return keys.some((candidate) => Buffer.compare(candidate, key) === 0);
}

/** Encodes a group for the managers of its members. */
export function encodeGroup(group: PrivacyGroup): Uint8Array {
  return new FieldWriter()
    .text(group.name)
    .text(group.description)
    .list(group.members)
    .field(group.seed)
    .text(group.type)
    .text(group.state)
    .finish();
}

/** Decodes a group sent by a manager. */
export function decodeGroup(bytes: Uint8Array): PrivacyGroup {
  const reader = new FieldReader(bytes);
  return {
    name: reader.text("name"),
    description: reader.text("description"),
    members: reader.list("members", KEY_BYTES),
    seed: reader.field("seed"),
    type: oneOf("type", reader.text("type"), GROUP_TYPES),
    state: oneOf("state", reader.text("state"), GROUP_STATES),
  };
}

function oneOf<const T extends string>(name: string, given: string, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === given);
  if (found !== undefined) return found;
  throw new MalformedBytes(`${name}: expected ${known.join(", ")}`);
}
