import { loadCrypto, toHex } from "@plinth/core";
import type { SocketAddress } from "@plinth/core/network";
import { createRandom, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { Message } from "./messages.js";
import { createRecord } from "./node-record.js";
import { decodePacket, encodePacket } from "./packet.js";
import { DiscoveryService } from "./service.js";

const crypto = await loadCrypto();
const PACKETS = Number(process.env.PLINTH_PACKETS ?? 2_000);
const NOW = 1_700_000_000;
const LATER = BigInt(NOW + 60);
const endpoint = { ip: "127.0.0.1", udp: 30303, tcp: 30303 };

function keyOf(privateKey: Uint8Array) {
  const publicKey = crypto.publicKeyOf(privateKey);
  return {
    publicKey,
    address: crypto.addressOf(publicKey),
    sign: async (hash: `0x${string}`) => crypto.sign(Buffer.from(hash.slice(2), "hex"), privateKey),
    agree: async (other: Uint8Array) => crypto.agree(privateKey, other),
  };
}

/** A node that records what it sends. */
async function createService(
  change: Partial<ConstructorParameters<typeof DiscoveryService>[0]> = {},
) {
  const clock = new FakeClock(NOW * 1000);
  const nodeKey = keyOf(new Uint8Array(32).fill(1));
  const logs = recordLogs();
  const sent: { message: Message; to: SocketAddress; hash: Uint8Array; bytes: number }[] = [];
  const service = new DiscoveryService({
    clock,
    nodeKey,
    ownId: toHex(nodeKey.publicKey),
    log: logs.for("test"),
    endpoint,
    record: await createRecord(nodeKey, { seq: 1n, endpoint }),
    bootnodes: [],
    retriesBootnodes: true,
    resolve: async (host) => host,
    discover: async () => undefined,
    isAllowed: () => true,
    isBanned: () => false,
    found: () => {},
    counted: () => {},
    ...change,
    send(datagram, to) {
      const { message, hash } = decodePacket(datagram);
      sent.push({ message, to, hash, bytes: datagram.length });
    },
  });
  return { service, sent, clock, logs };
}

/** Another node with its own address. */
function createPeer(seed: number, host = "127.0.0.2") {
  const privateKey = new Uint8Array(32).fill(seed);
  const from = { host, port: 30303 };
  const encode = (message: Message) =>
    encodePacket(message, async (hash) => crypto.sign(hash, privateKey));
  return { from, encode, id: toHex(crypto.publicKeyOf(privateKey)) };
}

type Service = Awaited<ReturnType<typeof createService>>;
type Peer = ReturnType<typeof createPeer>;

async function say({ service }: Service, { encode, from }: Peer, message: Message) {
  const { datagram, hash } = await encode(message);
  await service.receive(datagram, from);
  await new Promise((resolve) => setImmediate(resolve));
  return hash;
}

const ping: Message = {
  name: "Ping",
  version: 4,
  from: endpoint,
  to: endpoint,
  expiration: LATER,
  enrSeq: 1n,
};
const findNode: Message = { name: "FindNode", target: new Uint8Array(64), expiration: LATER };

/** Lets a peer prove its endpoint. */
async function bond(node: Service, peer: Peer): Promise<void> {
  await say(node, peer, ping);
  const asked = node.sent.findLast(({ message }) => message.name === "Ping");
  const pingHash = asked?.hash ?? expect.fail("no Ping came back");
  await say(node, peer, { name: "Pong", to: endpoint, pingHash, expiration: LATER, enrSeq: 1n });
}

const names = ({ sent }: Service) => sent.map(({ message }) => message.name);

describe("a node with untrusted requesters", () => {
  it("responds to a Ping, and pings back", async () => {
    const node = await createService();

    const hash = await say(node, createPeer(2), ping);

    expect(names(node)).toEqual(["Pong", "Ping"]);
    expect(node.sent[0]).toMatchObject({
      message: { pingHash: new Uint8Array(hash) },
      to: { host: "127.0.0.2", port: 30303 },
    });
  });

  it.each([
    ["a plugin refuses", { discover: async () => ({ message: "not listed" }) }],
    ["are banned", { isBanned: () => true }],
    ["are in another network", { isAllowed: () => false }],
  ])("does not respond to nodes that %s", async (_, change) => {
    const node = await createService(change);

    await say(node, createPeer(2), ping);

    expect(node.sent).toEqual([]);
  });

  it("sends no neighbors and no record before the endpoint is proven", async () => {
    const node = await createService();
    const peer = createPeer(2);

    await say(node, peer, findNode);
    await say(node, peer, { name: "ENRRequest", expiration: LATER });
    expect(names(node)).toEqual([]);

    await bond(node, peer);
    expect(names(node)).toEqual(["Pong", "Ping", "ENRResponse", "ENRRequest"]);
    await say(node, peer, findNode);
    expect(names(node).at(-1)).toBe("Neighbors");
  });

  it.each([
    ["with the hash of another Ping", { pingHash: new Uint8Array(32) }, "127.0.0.2"],
    ["from another address", {}, "127.0.0.3"],
  ])("does not accept a Pong %s as proof", async (_, change, host) => {
    const node = await createService();
    const peer = createPeer(2);
    await say(node, peer, ping);
    const pingHash = node.sent.at(-1)?.hash ?? expect.fail("no Ping came back");
    const pong: Message = {
      name: "Pong",
      to: endpoint,
      pingHash,
      expiration: LATER,
      enrSeq: 1n,
      ...change,
    };
    await say(node, { ...peer, from: { host, port: 30303 } }, pong);

    await say(node, peer, findNode);

    expect(names(node)).not.toContain("Neighbors");
    expect(node.service.candidates()).toEqual([]);
  });

  it("requires a new proof when a node comes from another address", async () => {
    const node = await createService();
    const peer = createPeer(2);
    await bond(node, peer);

    await say(node, { ...peer, from: { host: "127.0.0.9", port: 30303 } }, findNode);

    expect(names(node)).not.toContain("Neighbors");
  });

  it.each([ping, findNode, { name: "ENRRequest", expiration: 0n } as const])(
    "ignores expired packets: $name",
    async (message) => {
      const node = await createService();
      await bond(node, createPeer(2));
      const before = node.sent.length;

      await say(node, createPeer(2), { ...message, expiration: BigInt(NOW - 1) });
      await say(node, createPeer(2), { ...message, expiration: 2n ** 64n - BigInt(NOW) });

      expect(node.sent).toHaveLength(before);
    },
  );

  it("ignores neighbors and records that it did not request", async () => {
    const node = await createService();
    const peer = createPeer(2);
    await bond(node, peer);
    const nodes = [{ ...endpoint, id: createPeer(5).id }];

    await say(node, peer, { name: "Neighbors", nodes, expiration: LATER });
    await say(node, peer, { name: "ENRResponse", requestHash: new Uint8Array(32), record: [] });

    expect(node.service.candidates().map(({ id }) => id)).toEqual([peer.id]);
    expect(node.logs.entries).toEqual([]);
  });

  it("never responds with more than a few times the received bytes", async () => {
    const node = await createService();
    for (let seed = 2; seed < 40; seed++) await bond(node, createPeer(seed, `127.0.1.${seed}`));
    const peer = createPeer(2, "127.0.1.2");
    const asked = (await peer.encode(findNode)).datagram.length;
    const before = node.sent.length;

    await say(node, peer, findNode);

    const answered = node.sent.slice(before).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(node.sent.length - before).toBe(2);
    expect(Math.max(...node.sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1280);
    expect(answered / asked).toBeLessThan(10);
    // A sender with a forged address gets a Pong and a Ping for its Ping, and nothing for any other
    // packet.
    const forged = createPeer(77, "127.0.9.9");
    const pinged = (await forged.encode(ping)).datagram.length;
    const start = node.sent.length;
    await say(node, forged, ping);
    const echoed = node.sent.slice(start).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(echoed / pinged).toBeLessThan(2.5);
  });

  it("drops more than 256 packets of one address within a second", async () => {
    const node = await createService();
    const { datagram } = await createPeer(2).encode(ping);

    for (let n = 0; n < 400; n++) {
      await node.service.receive(datagram, { host: "127.0.0.2", port: 1 });
    }

    const pongs = names(node).filter((name) => name === "Pong");
    expect(pongs).toHaveLength(256);
  });

  it(`survives ${PACKETS} mutated packets`, async () => {
    const node = await createService();
    const random = createRandom(PACKETS);
    const pick = (limit: number) => Math.floor(random() * limit);
    const templates: readonly Message[] = [
      ping,
      findNode,
      { name: "Pong", to: endpoint, pingHash: new Uint8Array(32), expiration: LATER, enrSeq: 1n },
      { name: "Neighbors", nodes: [{ ...endpoint, id: createPeer(3).id }], expiration: LATER },
      { name: "ENRRequest", expiration: LATER },
      { name: "ENRResponse", requestHash: new Uint8Array(32), record: [new Uint8Array(64)] },
    ];
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < PACKETS; n++) {
      const key = Uint8Array.from({ length: 32 }, () => 1 + pick(255));
      const { datagram } = await encodePacket(
        templates[pick(templates.length)] ?? ping,
        async (hash) => crypto.sign(hash, key),
      );
      const content = Uint8Array.from(datagram.subarray(97));
      for (let changes = pick(4); changes > 0; changes--) content[pick(content.length)] = pick(256);
      const { r, s, recovery } = crypto.sign(crypto.keccak256(content), key);
      const signed = Buffer.concat([r, s, Uint8Array.of(recovery), content]);
      const whole = Buffer.concat([crypto.keccak256(signed), signed]);
      if (pick(10) === 0) whole[pick(whole.length)] = pick(256);
      const host = `127.${pick(256)}.${pick(256)}.${1 + pick(254)}`;
      await node.service.receive(pick(20) === 0 ? whole.subarray(0, pick(whole.length)) : whole, {
        host,
        port: 1 + pick(65_535),
      });
      if (n % 200 === 0) await node.clock.advance(100);
    }

    const grownMiB = Math.round((process.memoryUsage().heapUsed - before) / 2 ** 20);
    process.stdout.write(
      `hostile packets: ${JSON.stringify({ PACKETS, answers: node.sent.length, grownMiB })}\n`,
    );
    expect(node.logs.entries.filter(({ level }) => level === "error")).toEqual([]);
    expect(node.service.candidates()).toEqual([]);
    expect(names(node)).not.toContain("Neighbors");
  });
});

describe("an address without proof", () => {
  const nowhere = { ip: "1.2.3.4", udp: 0, tcp: 0 };
  const node = { ...nowhere, udp: 1, id: createPeer(9).id };
  /**
   * The shortest message of every kind: an attacker with spoofed senders pays for what it sends.
   */
  const shortest: readonly Message[] = [
    {
      name: "Ping",
      version: 0,
      from: undefined,
      to: nowhere,
      expiration: LATER,
      enrSeq: undefined,
    },
    {
      name: "Pong",
      to: undefined,
      pingHash: new Uint8Array(32),
      expiration: LATER,
      enrSeq: undefined,
    },
    findNode,
    { name: "Neighbors", nodes: [node], expiration: LATER },
    { name: "ENRRequest", expiration: LATER },
    { name: "ENRResponse", requestHash: new Uint8Array(32), record: [] },
  ];
  const near = "203.0.113.7";
  const far = "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff";
  const createAt = async (host: string) => {
    const longest = { ...endpoint, ip: host };
    const nodeKey = keyOf(new Uint8Array(32).fill(1));
    const record = await createRecord(nodeKey, { seq: 2n ** 64n - 1n, endpoint: longest });
    return createService({ endpoint: longest, record });
  };
  const bytesTo = ({ sent }: Service, host: string) =>
    sent.reduce((sum, { bytes, to }) => sum + (to.host === host ? bytes : 0), 0);

  it.each(shortest)(
    "is sent at most three times the received bytes, for $name",
    async (message) => {
      for (const host of [near, far]) {
        for (const keys of [1, 10]) {
          const service = await createAt(host);
          // There is something to report.
          await bond(service, createPeer(100));
          let received = 0;
          for (let count = 0; count < 10; count++) {
            const peer = createPeer(40 + (count % keys), host);
            received += (await peer.encode(message)).datagram.length;
            await say(service, peer, message);
            await service.clock.advance(300);
          }

          expect(bytesTo(service, host) / received).toBeLessThanOrEqual(3);
        }
      }
    },
  );

  it("is sent at most three times the bytes of the node that named it", async () => {
    const service = await createAt(far);
    const liar = createPeer(40);
    await bond(service, liar);
    const nodes = Array.from({ length: 16 }, (_, index) => ({
      ...{ ip: near, udp: index + 1, tcp: 0 },
      id: createPeer(100 + index).id,
    }));
    const answers: readonly Message[] = [nodes.slice(0, 12), nodes.slice(12)].map((part) => ({
      name: "Neighbors",
      nodes: part,
      expiration: LATER,
    }));

    service.service.start();
    await service.clock.advance(1);
    let received = 0;
    for (const answer of answers) {
      received += (await liar.encode(answer)).datagram.length;
      await say(service, liar, answer);
    }
    await service.clock.advance(1_000);
    await service.service.stop();

    expect(bytesTo(service, near)).toBeGreaterThan(0);
    expect(bytesTo(service, near) / received).toBeLessThanOrEqual(3);
  });
});
