import {
  decodeRlp,
  encodeRlp,
  type Header,
  InvalidBlock,
  keccak256,
  RlpError,
  toHex,
} from "@plinth/core";
import { encodeHeader } from "@plinth/core/blocks";
import type { Work } from "./hashimoto.js";

/** Positions of mix and nonce in a header. */
const SEAL_START = 13;
const SEAL_FIELDS = 2;

/** The hash that miners work on: of a header without mix and nonce. */
export function sealHash(header: Header): Uint8Array {
  const items = decodeRlp(encodeHeader(header));
  if (items instanceof Uint8Array) throw new RlpError("header: expected a list");
  return keccak256(encodeRlp(items.toSpliced(SEAL_START, SEAL_FIELDS)));
}

/** Whether the work is enough for a block of that difficulty. */
export function isEnough({ result }: Work, difficulty: bigint): boolean {
  return BigInt(toHex(result)) * difficulty <= 2n ** 256n;
}

/** Throws unless the nonce of a header leads to its mix, and the work is enough. */
export function verifySeal(header: Header, work: Work): void {
  const { number, mixHash, difficulty } = header;
  if (toHex(work.mix) !== mixHash) {
    throw new InvalidBlock("seal", `block ${number}: its nonce does not lead to its mix hash`);
  }
  if (!isEnough(work, difficulty)) {
    throw new InvalidBlock("seal", `block ${number}: its work is not enough`);
  }
}
