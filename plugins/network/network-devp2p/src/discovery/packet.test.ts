import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCrypto, toHex } from "@plinth/core";
import { createRandom, RECORDED_TRAFFIC } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { InvalidPacket, ipFromBytes, ipToBytes, type Message } from "./messages.js";
import { readRecord } from "./node-record.js";
import { decodePacket, encodePacket } from "./packet.js";

const crypto = await loadCrypto();
const bytes = (text: string) => Uint8Array.from(Buffer.from(text.slice(2), "hex"));
const KEY = new Uint8Array(32).fill(7);
const sign = async (hash: Uint8Array) => crypto.sign(hash, KEY);
const ID = toHex(crypto.publicKeyOf(KEY));
const endpoint = { ip: "127.0.0.1", udp: 30303, tcp: 30304 };
const MESSAGES: readonly Message[] = [
  { name: "Ping", version: 4, from: endpoint, to: endpoint, expiration: 2n ** 33n, enrSeq: 5n },
  {
    name: "Ping",
    version: 5,
    from: { ...endpoint, ip: "2001:db8::1" },
    to: endpoint,
    expiration: 1n,
    enrSeq: undefined,
  },
  { name: "Pong", to: endpoint, pingHash: new Uint8Array(32).fill(1), expiration: 9n, enrSeq: 0n },
  { name: "FindNode", target: new Uint8Array(64).fill(3), expiration: 9n },
  {
    name: "Neighbors",
    nodes: [
      { ...endpoint, id: ID },
      { ...endpoint, tcp: 0, id: ID },
    ],
    expiration: 9n,
  },
  { name: "ENRRequest", expiration: 9n },
  {
    name: "ENRResponse",
    requestHash: new Uint8Array(32),
    record: [new Uint8Array(64), Uint8Array.of(1)],
  },
];

describe("a discovery packet", () => {
  it.each(MESSAGES.map((message) => [message.name, message] as const))(
    "%s round-trips",
    async (_, message) => {
      const { hash, datagram } = await encodePacket(message, sign);

      expect(decodePacket(datagram)).toEqual({
        id: ID,
        publicKey: crypto.publicKeyOf(KEY),
        hash: new Uint8Array(hash),
        message,
      });
    },
  );

  it("of 16 neighbors is split into two that fit", async () => {
    const nodes = Array.from({ length: 12 }, () => ({ ...endpoint, id: ID }));
    const { datagram } = await encodePacket(
      { name: "Neighbors", nodes, expiration: 2n ** 40n },
      sign,
    );

    expect(datagram.length).toBeLessThanOrEqual(1280);
  });

  it("is rejected if any bit of it has changed", async () => {
    const [message] = MESSAGES;
    const { datagram } = await encodePacket(message ?? expect.fail("no message"), sign);

    for (let bit = 0; bit < 8 * datagram.length; bit += 5) {
      const changed = Uint8Array.from(datagram);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodePacket(changed)).toThrow(InvalidPacket);
    }
  });

  it("of random bytes under a valid hash and signature is rejected, or decoded", async () => {
    const random = createRandom(5);
    let read = 0;
    for (let n = 0; n < 2_000; n++) {
      const template = MESSAGES[n % MESSAGES.length] ?? expect.fail("no message");
      const { datagram } = await encodePacket(template, sign);
      const content = Uint8Array.from(datagram.subarray(97));
      content[Math.floor(random() * content.length)] = Math.floor(random() * 256);
      const { r, s, recovery } = crypto.sign(crypto.keccak256(content), KEY);
      const signed = Buffer.concat([r, s, Uint8Array.of(recovery), content]);
      try {
        decodePacket(Buffer.concat([crypto.keccak256(signed), signed]));
        read += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidPacket);
      }
    }
    expect(read).toBeGreaterThan(0);
  });

  it.each([0, 1, 97, 98, 1281, 65_507])("of %d bytes is rejected", (length) => {
    expect(() => decodePacket(new Uint8Array(length))).toThrow(InvalidPacket);
  });

  it.each(["127.0.0.1", "0.0.0.0", "255.255.255.255", "::1", "2001:db8::1", "::", "fe80::1:2:3"])(
    "has the address %s",
    (ip) => {
      expect(ipFromBytes(ipToBytes(ip))).toBe(ip);
    },
  );
});

describe("packets between Besu nodes", () => {
  const folder = join(RECORDED_TRAFFIC, "discovery/discv4");

  it("are decoded, verified and re-encoded to the same bytes", async () => {
    const keys = JSON.parse(readFileSync(join(folder, "keys.json"), "utf8"));
    const lines = readFileSync(join(folder, "packets.jsonl"), "utf8").trim().split("\n");
    const counts: Record<string, number> = {};
    for (const line of lines) {
      const { from, name, hash, packet } = JSON.parse(line);
      const privateKey = bytes(findKey(keys, from));
      const read = decodePacket(bytes(packet));
      counts[name] = (counts[name] ?? 0) + 1;

      expect(read.message.name).toBe(name);
      expect(toHex(read.hash)).toBe(hash);
      expect(read.publicKey).toEqual(crypto.publicKeyOf(privateKey));
      const again = await encodePacket(read.message, async (each) => crypto.sign(each, privateKey));
      expect(toHex(again.datagram)).toBe(packet);
      if (read.message.name === "ENRResponse") {
        const record = readRecord(read.message.record, read.publicKey);
        expect([...record.pairs.keys()]).toContain("secp256k1");
      }
    }
    expect(counts).toEqual({
      Ping: 6,
      Pong: 6,
      FindNode: 8,
      Neighbors: 7,
      ENRRequest: 6,
      ENRResponse: 6,
    });
  });
});

/** Keys are listed under the name of their node, in one form or another. */
function findKey(keys: unknown, node: string): string {
  const text = JSON.stringify(keys);
  const at = text.indexOf(`"${node}"`);
  return /0x[0-9a-f]{64}(?![0-9a-f])/.exec(text.slice(at))?.[0] ?? expect.fail(`no key of ${node}`);
}
