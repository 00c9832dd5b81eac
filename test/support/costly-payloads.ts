import { encodeRlp, type Rlp } from "@plinth/core";

/** The most expensive payloads of a size to decode, whatever the message: each as RLP. */
export function costlyPayloads(bytes: number): readonly (readonly [string, Uint8Array])[] {
  return [
    ["a string of zeros", encodeRlp(new Uint8Array(bytes))],
    ["the smallest items", listOf(new Uint8Array(0), bytes, 1)],
    ["empty lists", listOf([], bytes, 1)],
    ["hashes", listOf(new Uint8Array(32).fill(7), bytes, 33)],
    ["signatures", listOf(new Uint8Array(65).fill(1), bytes, 67)],
    ["an id and hashes", encodeRlp([Uint8Array.of(1), itemsOf(new Uint8Array(32), bytes, 33)])],
    ["lists of numbers", listOf([Uint8Array.of(1), Uint8Array.of(2)], bytes, 3)],
    ["lists in lists", nested(Math.min(bytes, 1000))],
    ["bytes that are no RLP", new Uint8Array(bytes).fill(0xff)],
  ];
}

function listOf(item: Rlp, bytes: number, each: number): Uint8Array {
  return encodeRlp(itemsOf(item, bytes, each));
}

function itemsOf(item: Rlp, bytes: number, each: number): Rlp {
  return Array.from({ length: Math.floor(bytes / each) - 1 }, () => item);
}

function nested(depth: number): Uint8Array {
  let item: Rlp = [];
  for (let level = 1; level < depth; level++) item = [item];
  return encodeRlp(item);
}
