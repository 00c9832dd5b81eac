import { createECDH, createHmac, pbkdf2Sync } from "node:crypto";
import { type Address, keccak256, toHex } from "@plinth/core";

/** A key with its address. */
export interface DerivedAccount {
  readonly address: Address;
  readonly privateKey: string;
}

interface ExtendedKey {
  readonly key: Buffer;
  readonly chainCode: Buffer;
}

const CURVE = "secp256k1";
/** The order of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HARDENED = 0x80000000;
/** BIP-44: the parent path of Ethereum accounts. */
const USUAL_PATH = "m/44'/60'/0'/0";

/** The first accounts of a mnemonic, as wallets derive them: the children 0, 1, 2 of a path. */
export function deriveAccounts(
  mnemonic: string,
  count: number,
  path = USUAL_PATH,
): readonly DerivedAccount[] {
  const parent = readPath(path).reduce(childOf, masterKey(mnemonic));
  return Array.from({ length: count }, (_, index) => {
    const { key } = childOf(parent, index);
    return { address: addressOf(key), privateKey: toHex(key) };
  });
}

/** Whether a text is a path such as `m/44'/60'/0'/0/`. */
export function isPath(text: string): boolean {
  return /^m(\/\d{1,10}'?)*\/?$/.test(text) && readPath(text).every((step) => step < 2 * HARDENED);
}

function readPath(text: string): readonly number[] {
  const steps = text.split("/").filter((step) => step !== "" && step !== "m");
  return steps.map((step) => {
    const number = Number(step.replace("'", ""));
    if (number >= HARDENED) return 2 * HARDENED;
    return step.endsWith("'") ? number + HARDENED : number;
  });
}

/** BIP-39: the seed without a passphrase; BIP-32: the master key. */
function masterKey(mnemonic: string): ExtendedKey {
  const words = mnemonic.normalize("NFKD");
  const seed = pbkdf2Sync(words, "mnemonic", 2048, 64, "sha512");
  return split(createHmac("sha512", "Bitcoin seed").update(seed).digest());
}

/** BIP-32: a child of a private key. */
function childOf({ key, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const data = Buffer.alloc(37);
  if (index >= HARDENED) key.copy(data, 1);
  else publicKeyOf(key, "compressed").copy(data);
  data.writeUInt32BE(index, 33);
  const child = split(createHmac("sha512", chainCode).update(data).digest());
  const sum = (numberOf(child.key) + numberOf(key)) % ORDER;
  return { ...child, key: Buffer.from(sum.toString(16).padStart(64, "0"), "hex") };
}

function split(digest: Buffer): ExtendedKey {
  return { key: digest.subarray(0, 32), chainCode: digest.subarray(32) };
}

function addressOf(key: Buffer): Address {
  return toHex(keccak256(publicKeyOf(key, "uncompressed").subarray(1)).subarray(12)) as Address;
}

function publicKeyOf(key: Buffer, form: "compressed" | "uncompressed"): Buffer {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(key);
  return pair.getPublicKey(null, form);
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}
