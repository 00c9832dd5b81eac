import { decodeRlp, encodeRlp, PeerError, type Rlp } from "@plinth/core";
import type { Capability, DisconnectReason } from "@plinth/core/network";
import { codeOfReason, reasonOfCode } from "./disconnect-codes.js";

/** The message codes of the base protocol; other protocols start after them. */
export const BASE_CODES = { hello: 0, disconnect: 1, ping: 2, pong: 3 } as const;
/** The first code of other protocols. */
export const FIRST_CODE = 0x10;
/** The supported version of the base protocol; from this version on messages are compressed. */
export const P2P_VERSION = 5;
/** Maximum size of a base protocol message, compressed or not. */
export const MAX_BASE_BYTES = 4096;

const MAX_CAPABILITIES = 100;
const MAX_NAME_BYTES = 32;
const MAX_CLIENT_ID = 256;
const ID_BYTES = 64;
const EMPTY_LIST = encodeRlp([]);

/** The first message of a node. */
export interface Hello {
  readonly version: number;
  readonly clientId: string;
  readonly capabilities: readonly Capability[];
  /** The TCP port it listens on; 0 if it does not. */
  readonly listenPort: number;
  /** 64 bytes. */
  readonly id: Uint8Array;
}

/** Encodes a Hello. */
export function encodeHello({
  version,
  clientId,
  capabilities,
  listenPort,
  id,
}: Hello): Uint8Array {
  return encodeRlp([
    scalar(version),
    Buffer.from(clientId, "utf8"),
    capabilities.map((each) => [Buffer.from(each.name, "latin1"), scalar(each.version)]),
    scalar(listenPort),
    id,
  ]);
}

/** Decodes a Hello; items after the id are ignored. */
export function decodeHello(payload: Uint8Array): Hello {
  const [version, clientId, capabilities, listenPort, id] = listOf("Hello", decodeRlp(payload));
  const offered = listOf("the capabilities", capabilities);
  if (offered.length > MAX_CAPABILITIES) {
    throw breach(`Hello has ${offered.length} capabilities, expected at most ${MAX_CAPABILITIES}`);
  }
  const key = bytesOf("the node id", id);
  if (key.length !== ID_BYTES) {
    throw breach(`the node id of Hello has ${key.length} bytes, expected ${ID_BYTES}`);
  }
  return {
    version: numberOf("the version", version),
    clientId: printable(Buffer.from(bytesOf("the client id", clientId)).toString("utf8")),
    capabilities: offered.map(decodeCapability),
    listenPort: numberOf("the port", listenPort),
    id: key,
  };
}

/** Encodes a Disconnect as Besu does: the reason 0 is the byte 0, no reason is an empty item. */
export function encodeDisconnect(reason: DisconnectReason): Uint8Array {
  const code = codeOfReason(reason);
  return encodeRlp([code === undefined ? new Uint8Array() : Uint8Array.of(code)]);
}

/** Decodes a Disconnect in every observed form: a list, a bare number, nothing at all. */
export function decodeDisconnect(payload: Uint8Array): DisconnectReason {
  if (payload.length === 0) return "unspecified";
  const decoded = decodeRlp(payload);
  const item = decoded instanceof Uint8Array ? decoded : decoded[0];
  if (!(item instanceof Uint8Array) || item.length !== 1) return "unspecified";
  return reasonOfCode(item[0]);
}

/** Body of Ping and Pong. */
export function encodeEmpty(): Uint8Array {
  return EMPTY_LIST;
}

function decodeCapability(item: Rlp): Capability {
  const [name, version] = listOf("a capability", item);
  const bytes = bytesOf("the name of a capability", name);
  if (bytes.length > MAX_NAME_BYTES) {
    throw breach(`a capability has a name of ${bytes.length} bytes, expected ${MAX_NAME_BYTES}`);
  }
  return {
    name: printable(Buffer.from(bytes).toString("latin1")),
    version: numberOf("the version of a capability", version),
  };
}

function listOf(what: string, item: Rlp | undefined): readonly Rlp[] {
  if (Array.isArray(item)) return item;
  throw breach(`${what} is not a list`);
}

function bytesOf(what: string, item: Rlp | undefined): Uint8Array {
  if (item instanceof Uint8Array) return item;
  throw breach(`${what} of Hello is missing or a list`);
}

/** A number of at most six bytes; leading zeros are accepted. */
function numberOf(what: string, item: Rlp | undefined): number {
  const bytes = bytesOf(what, item);
  if (bytes.length > 6)
    throw breach(`${what} of Hello has ${bytes.length} bytes, expected at most 6`);
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function scalar(value: number): Uint8Array {
  if (value === 0) return new Uint8Array();
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

/** Text from untrusted peers ends up in logs and on terminals. */
function printable(text: string): string {
  return text.slice(0, MAX_CLIENT_ID).replace(/[^\x20-\x7e]/g, "?");
}

function breach(message: string): PeerError {
  return new PeerError("breach-of-protocol", message);
}
