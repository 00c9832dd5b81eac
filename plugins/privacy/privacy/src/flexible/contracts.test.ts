import { readFileSync } from "node:fs";
import { hexToBytes, keccak256, loadCrypto, toHex } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { MANAGEMENT_CODE } from "./management-code.js";
import {
  addedKeys,
  encodeAddition,
  encodeRemoval,
  isAddition,
  PARTICIPANT_REMOVED,
  participantsOf,
  removedKey,
  SELECTORS,
} from "./participants.js";
import { PROXY_CODE } from "./proxy-code.js";

const { flexiblePrivacy: vectors } = JSON.parse(
  readFileSync(
    new URL("../../../../../test/vectors/privacy-vectors.json", import.meta.url),
    "utf8",
  ),
);

beforeAll(() => loadCrypto());

describe("the contracts of flexible groups", () => {
  it.each([
    ["management", MANAGEMENT_CODE],
    ["proxy", PROXY_CODE],
  ])("have the same code as in Besu (%s)", (name, code) => {
    const bytes = hexToBytes(code);
    const { length, keccak256: hash } = vectors.upstreamRuntimeCode[name];

    expect(bytes.length).toBe(length);
    expect(toHex(keccak256(bytes))).toBe(hash);
  });

  it("match the calls and logs of the vectors", () => {
    for (const [name, selector] of Object.entries(SELECTORS)) {
      const [signature] = Object.keys(vectors.selectors).filter((text) =>
        text.startsWith(`${name}(`),
      );
      expect(vectors.selectors[signature ?? ""]).toBe(selector);
    }
    expect(PARTICIPANT_REMOVED).toBe(vectors.eventTopics["ParticipantRemoved(bytes)"]);
  });
});

describe("members in call data", () => {
  const [{ callDataBase64, participants }] = vectors.addParticipantsCallData;
  const keys = participants.map((key: string) => Buffer.from(key, "base64"));

  it("are encoded and decoded as by clients", () => {
    const data = Buffer.from(callDataBase64, "base64");
    const to = "0x000000000000000000000000000000000000007c" as const;

    expect(addedKeys({ data })).toEqual(participants);
    expect(Buffer.from(encodeAddition(keys))).toEqual(data);
    expect(isAddition({ to, data })).toBe(true);
    expect(isAddition({ to: undefined, data })).toBe(false);
    expect(isAddition({ to, data: encodeRemoval(keys[0]) })).toBe(false);
  });

  it("may be 91 bytes long", () => {
    const long = [1, 2, 3].map((byte) => new Uint8Array(91).fill(byte));

    const found = addedKeys({ data: encodeAddition(long) });

    expect(found).toEqual(long.map((key) => Buffer.from(key).toString("base64")));
  });

  it.each([
    ["nothing", ""],
    ["a selector", "965a25ef"],
    ["no list", `965a25ef${"00".repeat(31)}20`],
    ["a count without keys", `965a25ef${"00".repeat(31)}20${"00".repeat(31)}05`],
    ["an excessive count", `965a25ef${"00".repeat(31)}20${"ff".repeat(32)}`],
    [
      "a key that exceeds the data",
      `965a25ef${"00".repeat(31)}20${"00".repeat(31)}01${"00".repeat(32)}${"ff".repeat(32)}`,
    ],
  ])("are empty for %s", (_, data) => {
    expect(addedKeys({ data: hexToBytes(data) })).toEqual([]);
    expect(participantsOf(hexToBytes(data))).toEqual([]);
  });

  it("are empty if their lengths differ, as in Besu", () => {
    const mixed = [new Uint8Array(32), new Uint8Array(91)];

    expect(addedKeys({ data: encodeAddition(mixed) })).toEqual([]);
  });

  it("are read from the log of a removal", () => {
    const data = encodeRemoval(keys[0]).subarray(4);

    expect(removedKey(data)).toBe(participants[0]);
    expect(removedKey(data.subarray(0, 70))).toBeUndefined();
    expect(removedKey(new Uint8Array())).toBeUndefined();
  });
});
