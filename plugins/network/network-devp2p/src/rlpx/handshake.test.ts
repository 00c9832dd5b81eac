import { readFileSync } from "node:fs";
import { loadCrypto, toHex } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { describe, expect, it } from "vitest";
import { createHandshakeSeed, initiate, type ReadBytes, respond } from "./handshake.js";

const crypto = await loadCrypto();
const path = new URL("./eip8-vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8"));
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
const A = keyOf(bytes(vectors.staticKeyA));
const B = keyOf(bytes(vectors.staticKeyB));
const seedOf = (side: "A" | "B") => ({
  ...createHandshakeSeed(),
  ephemeralPrivateKey: bytes(vectors[`ephemeralKey${side}`]),
  nonce: bytes(vectors[`nonce${side}`]),
});

function keyOf(privateKey: Uint8Array): NodeKey {
  const publicKey = crypto.publicKeyOf(privateKey);
  return {
    publicKey,
    address: crypto.addressOf(publicKey),
    sign: async (hash) => crypto.sign(bytes(hash.slice(2)), privateKey),
    agree: async (other) => crypto.agree(privateKey, other),
  };
}

/** A connection on which only these bytes arrive. */
function readerOf(packet: Uint8Array): ReadBytes {
  let at = 0;
  return async (length) => {
    if (at + length > packet.length) throw new Error(`${at + length} bytes of ${packet.length}`);
    at += length;
    return packet.subarray(at - length, at);
  };
}

describe("the handshake of EIP-8", () => {
  it.each([
    ["from before EIP-8", 0, 210],
    ["with version 4", 1, undefined],
    ["with version 56 and more items", 2, undefined],
  ])("accepts an auth message %s", async (_, index, ackBytes) => {
    const written: Uint8Array[] = [];

    const { secrets, remotePublicKey } = await respond({
      nodeKey: B,
      seed: seedOf("B"),
      read: readerOf(bytes(vectors.auths[index])),
      write: (packet) => void written.push(packet),
    });

    expect(remotePublicKey).toEqual(A.publicKey);
    expect(toHex(secrets.aes)).toBe(`0x${vectors.aesSecret}`);
    expect(toHex(secrets.mac)).toBe(`0x${vectors.macSecret}`);
    // It responds in the same form.
    if (ackBytes !== undefined) expect(written[0]).toHaveLength(ackBytes);
    else expect(written[0]?.length).toBeGreaterThan(300);
    if (index === 1) {
      secrets.ingressMac.update(Buffer.from("foo"));
      expect(toHex(secrets.ingressMac.digest())).toBe(`0x${vectors.ingressMacOfFoo}`);
    }
  });

  it.each([0, 1, 2])("accepts ack message %i", async (index) => {
    const secrets = await initiate({
      nodeKey: A,
      remotePublicKey: B.publicKey,
      seed: seedOf("A"),
      read: readerOf(bytes(vectors.acks[index])),
      write: () => {},
    });

    expect(toHex(secrets.aes)).toBe(`0x${vectors.aesSecret}`);
    expect(toHex(secrets.mac)).toBe(`0x${vectors.macSecret}`);
  });

  const auth = bytes(vectors.auths[1]);
  const changed = (at: number) => auth.map((byte, index) => (index === at ? byte ^ 1 : byte));
  it.each([
    ["a byte of the secret", changed(200)],
    ["a byte of the tag", changed(auth.length - 1)],
    ["a byte of the size", Uint8Array.from([...changed(1), 0])],
    ["a key off the curve", changed(10)],
    ["a size that is too small", Uint8Array.from([0, 100, ...auth.subarray(2)])],
    ["a size of 65535", Uint8Array.from([0xff, 0xff, ...auth.subarray(2)])],
    ["a legacy message with a wrong tag", bytes(vectors.auths[0]).fill(0, 300)],
    ["a message of zeros", new Uint8Array(400)],
  ])("rejects %s", async (_, packet) => {
    const settings = { nodeKey: B, seed: seedOf("B"), read: readerOf(packet), write: () => {} };

    await expect(respond(settings)).rejects.toSatisfy(
      (error: Error & { reason?: string }) =>
        error.reason === "breach-of-protocol" || error.message.includes(" bytes of "),
    );
  });
});
