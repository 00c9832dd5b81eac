import { type Hash, hexToBytes, type Log } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { transfersOf } from "./token-transfers.js";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
const [A, B, C] = ["a1", "b2", "c3"].map((byte) => byte.repeat(20)) as [string, string, string];

describe("a log", () => {
  it.each<[string, Log, unknown]>([
    [
      "of ERC-20",
      log([TRANSFER, topic(A), topic(B)], [word(7)]),
      [["ERC-20", null, A, B, null, "7"]],
    ],
    [
      "of ERC-721",
      log([TRANSFER, topic(A), topic(B), topicOf(9)], []),
      [["ERC-721", null, A, B, "9", "1"]],
    ],
    [
      "of ERC-1155 with one token",
      log([SINGLE, topic(C), topic(A), topic(B)], [word(5), word(6)]),
      [["ERC-1155", C, A, B, "5", "6"]],
    ],
    [
      "of ERC-1155 with several",
      log(
        [BATCH, topic(C), topic(A), topic(B)],
        [word(64), word(160), word(2), word(1), word(2), word(2), word(10), word(20)],
      ),
      [
        ["ERC-1155", C, A, B, "1", "10"],
        ["ERC-1155", C, A, B, "2", "20"],
      ],
    ],
  ])("%s has transfers", (_, given, expected) => {
    const found = transfersOf(given).map((row) =>
      row.map((value) => value?.replace("\\x", "") ?? null),
    );

    expect(found).toEqual(expected);
  });

  it.each<[string, Log]>([
    ["another event", log([topicOf(1), topic(A), topic(B)], [word(7)])],
    ["no topics", log([], [word(7)])],
    ["too little data", log([TRANSFER, topic(A), topic(B)], [])],
    ["too much data", log([TRANSFER, topic(A), topic(B)], [word(7), word(8)])],
    ["parties that are no addresses", log([TRANSFER, topicOf(2n ** 200n), topic(B)], [word(7)])],
    ["too few topics", log([TRANSFER, topic(A)], [word(7)])],
    [
      "lists of different lengths",
      log([BATCH, topic(C), topic(A), topic(B)], [word(64), word(128), word(1), word(1), word(0)]),
    ],
    [
      "a list longer than the data",
      log([BATCH, topic(C), topic(A), topic(B)], [word(64), word(64), word(200)]),
    ],
    [
      "an offset beyond the data",
      log([BATCH, topic(C), topic(A), topic(B)], [word(2n ** 255n), word(64)]),
    ],
  ])("with %s has none", (_, given) => {
    expect(transfersOf(given)).toEqual([]);
  });
});

function log(topics: readonly string[], words: readonly string[]): Log {
  return { address: `0x${A}`, topics: topics as Hash[], data: hexToBytes(words.join("")) };
}

function topic(address: string): string {
  return `0x${"0".repeat(24)}${address}`;
}

function topicOf(number: number | bigint): string {
  return `0x${word(number)}`;
}

function word(number: number | bigint): string {
  return number.toString(16).padStart(64, "0");
}
