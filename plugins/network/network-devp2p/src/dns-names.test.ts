import { createSocket } from "node:dgram";
import { definePlugin, loadCrypto, type Plugin } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import networkDevp2p from "./index.js";

const crypto = await loadCrypto();
const A_RECORD = 1;

/** A DNS server with one address, which can change. */
async function createDnsServer(address: string) {
  const socket = createSocket("udp4");
  let [current, questions] = [address, 0];
  socket.on("message", (query, from) => {
    questions += 1;
    socket.send(answer(query, current), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions: () => questions,
    change: (next: string) => {
      current = next;
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

/** The query, and one record that points back to its name. */
function answer(query: Buffer, address: string): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const type = question.readUInt16BE(question.length - 4);
  const answers = type === A_RECORD ? 1 : 0;
  const head = Buffer.from([
    query[0] ?? 0,
    query[1] ?? 0,
    0x81,
    0x80,
    0,
    1,
    0,
    answers,
    0,
    0,
    0,
    0,
  ]);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split(".").map(Number)];
  return Buffer.concat([head, question, Buffer.from(answers === 1 ? record : [])]);
}

const toy = definePlugin({
  name: "toy",
  setup: ({ network }) =>
    network.protocol({ name: "toy", version: 1, length: 1, connected: () => ({ received() {} }) }),
});

function keyPlugin(seed: number): Plugin {
  const privateKey = new Uint8Array(32).fill(seed);
  const publicKey = crypto.publicKeyOf(privateKey);
  return definePlugin({
    name: "keys-test",
    setup: ({ keys }) =>
      keys.driver({
        name: "localfile",
        open: async () => ({
          publicKey,
          address: crypto.addressOf(publicKey),
          sign: async (hash) => crypto.sign(Buffer.from(hash.slice(2), "hex"), privateKey),
          agree: async (other) => crypto.agree(privateKey, other),
        }),
      }),
  });
}

async function start(seed: number, options: object) {
  const node = await createTestNode({
    plugins: [networkDevp2p, keyPlugin(seed), toy],
    options: {
      p2pInterface: "127.0.0.1",
      p2pPort: 0,
      discoveryEnabled: false,
      natMethod: "NONE",
      ...options,
    },
  });
  const network = node.node.network ?? expect.fail("no network");
  const enode = network.localNode?.enode ?? expect.fail("it does not listen");
  return { node, network, enode, [Symbol.asyncDispose]: () => node.stop() };
}

async function until(isTrue: () => boolean, limitMs: number): Promise<number> {
  const began = Date.now();
  while (!isTrue()) {
    if (Date.now() - began > limitMs) expect.fail(`not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return Date.now() - began;
}

describe("a static peer with a DNS name", () => {
  it("is found again when its address has changed", async () => {
    await using dns = await createDnsServer("127.0.0.1");
    await using alice = await start(1, {
      XdnsEnabled: true,
      XdnsUpdateEnabled: true,
      Xp2pDnsDiscoveryServer: dns.server,
    });
    const bob = await start(2, {});
    expect(alice.network.allowsNames).toBe(true);
    alice.network.addStaticPeer({ ...bob.enode, host: "bob.test" });
    await until(() => alice.network.peers().length === 1, 10_000);
    expect(alice.network.peers()[0]?.remoteAddress.host).toBe("127.0.0.1");

    await bob.node.stop();
    dns.change("127.0.0.2");
    const port = bob.enode.tcpPort;
    await using moved = await start(2, { p2pInterface: "127.0.0.2", p2pPort: port });

    await until(() => alice.network.peers().length === 1, 45_000);
    expect(alice.network.peers()[0]?.remoteAddress.host).toBe("127.0.0.2");
    expect(moved.network.isEnabled).toBe(true);
  });

  it("is resolved once without updates", async () => {
    await using dns = await createDnsServer("127.0.0.1");
    await using alice = await start(1, { XdnsEnabled: true, Xp2pDnsDiscoveryServer: dns.server });
    await using bob = await start(2, {});
    alice.network.addStaticPeer({ ...bob.enode, host: "bob.test" });
    await until(() => alice.network.peers().length === 1, 10_000);
    const asked = dns.questions();

    alice.network.peers()[0]?.disconnect("requested");
    await until(() => alice.network.peers().length === 1, 10_000);

    expect(dns.questions()).toBe(asked);
  });
});
