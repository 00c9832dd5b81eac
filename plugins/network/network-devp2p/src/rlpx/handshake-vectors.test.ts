import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCrypto, toHex } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { rlpLength } from "@plinth/core/primitives";
import { RECORDED_TRAFFIC } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { ByteQueue } from "./byte-queue.js";
import { decryptEcies } from "./ecies.js";
import { FrameDecoder, FrameEncoder } from "./frame-codec.js";
import { type HandshakeSeed, initiate, type ReadBytes, respond } from "./handshake.js";
import {
  decodeMessage,
  decodePayload,
  encodeMessage,
  MAX_FRAME_BYTES,
  MAX_MESSAGE_BYTES,
} from "./message-codec.js";
import type { Secrets } from "./secrets.js";

const crypto = await loadCrypto();

interface Side {
  readonly node: string;
  readonly staticPrivateKey: string;
  readonly ephemeralPrivateKey: string;
  readonly nonce: string;
  readonly eciesPrivateKey: string;
  readonly eciesIv: string;
  readonly egressMac: string;
  readonly ingressMac: string;
}

interface Vector {
  readonly initiator: Side;
  readonly responder: Side;
  readonly auth: string;
  readonly ack: string;
  readonly aesSecret: string;
  readonly macSecret: string;
  readonly frames: readonly {
    readonly from: string;
    readonly name: string;
    readonly wire_code: number;
    readonly snappy: boolean;
    readonly payload: string;
    readonly frame: string;
  }[];
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.slice(2), "hex"));
const path = join(RECORDED_TRAFFIC, "discovery/rlpx-handshake/vectors.json");
const vectors: readonly Vector[] = JSON.parse(readFileSync(path, "utf8"));

describe("connections between Besu nodes", () => {
  it("were recorded", () => {
    expect(vectors.length).toBe(6);
  });

  it.each([...vectors.entries()])(
    "number %i has the same bytes, secrets and frames",
    async (_, vector) => {
      const { initiator, responder, auth, ack } = vector;
      const [keyOfInitiator, keyOfResponder] = [nodeKeyOf(initiator), nodeKeyOf(responder)];
      const written: string[] = [];
      const write = (packet: Uint8Array) => void written.push(toHex(packet));

      const dialled = await initiate({
        nodeKey: keyOfInitiator,
        remotePublicKey: keyOfResponder.publicKey,
        seed: seedOf(initiator, await paddingOf(auth, keyOfResponder)),
        read: readerOf(bytes(ack)),
        write,
      });
      const accepted = await respond({
        nodeKey: keyOfResponder,
        seed: seedOf(responder, await paddingOf(ack, keyOfInitiator)),
        read: readerOf(bytes(auth)),
        write,
      });

      expect(written).toEqual([auth, ack]);
      expect(accepted.remotePublicKey).toEqual(keyOfInitiator.publicKey);
      for (const [side, secrets] of [
        [initiator, dialled],
        [responder, accepted.secrets],
      ] as const) {
        expect(toHex(secrets.aes)).toBe(vector.aesSecret);
        expect(toHex(secrets.mac)).toBe(vector.macSecret);
        expect(toHex(secrets.egressMac.digest())).toBe(side.egressMac);
        expect(toHex(secrets.ingressMac.digest())).toBe(side.ingressMac);
      }
      expectFrames(vector, { [initiator.node]: dialled, [responder.node]: accepted.secrets });
    },
  );
});

/**
 * Decodes every frame with the keys of its receiver, and encodes it again with those of its sender.
 */
function expectFrames({ frames }: Vector, secrets: Readonly<Record<string, Secrets>>): void {
  const codecs = Object.entries(secrets).map(([node, each]) => ({
    node,
    encoder: new FrameEncoder(each),
    decoder: new FrameDecoder(each),
  }));
  for (const { from, wire_code, snappy, payload, frame } of frames) {
    const sender = codecs.find(({ node }) => node === from);
    const receiver = codecs.find(({ node }) => node !== from);
    const arrived = new ByteQueue();
    arrived.push(bytes(frame));
    const body = receiver?.decoder.decode(arrived, MAX_FRAME_BYTES) ?? expect.fail("no frame");
    const { id, data } = decodeMessage(body);
    const plain = decodePayload(data, snappy, MAX_MESSAGE_BYTES);

    expect(id).toBe(wire_code);
    expect(toHex(plain)).toBe(payload);
    expect(toHex(sender?.encoder.encode(body) ?? new Uint8Array())).toBe(frame);
    // Compressors differ; the output of this one can be decompressed again.
    const own = decodeMessage(encodeMessage(id, plain, snappy));
    expect(own.id).toBe(id);
    expect(toHex(decodePayload(own.data, snappy, MAX_MESSAGE_BYTES))).toBe(payload);
  }
}

function nodeKeyOf({ staticPrivateKey }: Side): NodeKey {
  const privateKey = bytes(staticPrivateKey);
  const publicKey = crypto.publicKeyOf(privateKey);
  return {
    publicKey,
    address: crypto.addressOf(publicKey),
    sign: async (hash) => crypto.sign(bytes(hash), privateKey),
    agree: async (other) => crypto.agree(privateKey, other),
  };
}

function seedOf(side: Side, padding: Uint8Array): HandshakeSeed {
  return {
    ephemeralPrivateKey: bytes(side.ephemeralPrivateKey),
    nonce: bytes(side.nonce),
    ecies: { privateKey: bytes(side.eciesPrivateKey), iv: bytes(side.eciesIv) },
    padding,
  };
}

/** The bytes after the list in a recorded packet. */
async function paddingOf(packet: string, receiver: NodeKey): Promise<Uint8Array> {
  const whole = bytes(packet);
  const plain = await decryptEcies(whole.subarray(2), {
    agree: (publicKey) => receiver.agree(publicKey),
    authenticated: whole.subarray(0, 2),
  });
  return plain.subarray(rlpLength(plain));
}

function readerOf(packet: Uint8Array): ReadBytes {
  let at = 0;
  return async (length) => {
    at += length;
    return packet.subarray(at - length, at);
  };
}
