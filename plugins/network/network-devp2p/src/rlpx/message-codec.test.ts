import { describe, expect, it } from "vitest";
import { decodePayload, decodePayloadInTurns, payloadLength } from "./message-codec.js";

const MAX = 1024;
const CUT_OFF = Uint8Array.of(5, 16, 104, 101);
const NO_LENGTH = new Uint8Array(5).fill(0xff);

describe("a message that is not Snappy", () => {
  it.each([
    ["when its length is read", async () => payloadLength(NO_LENGTH, true, MAX), /no length/],
    ["when it is decompressed", async () => decodePayload(CUT_OFF, true, MAX), /a literal ends/],
    ["in turns", () => decodePayloadInTurns(CUT_OFF, true, MAX), /a literal ends/],
  ])("is a breach of protocol %s", async (_, decode, reason) => {
    await expect(decode()).rejects.toMatchObject({
      code: "PEER_FAULT",
      reason: "breach-of-protocol",
      message: expect.stringMatching(/^a message is not valid Snappy: /),
    });
    await expect(decode()).rejects.toThrow(reason);
  });
});
