import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, loadCrypto, type Network, type Plugin } from "@plinth/core";
import { type Enode, formatEnode, type PeerRefusal } from "@plinth/core/network";
import { createTestNode, recordLogs, type TestNode } from "@plinth/testing";
import { afterEach, describe, expect, it } from "vitest";
import networkDevp2p from "./index.js";

const crypto = await loadCrypto();
const running: TestNode[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop()));
});

/** A node key for tests; a lower number was used more often. */
function keyPlugin(seed: number, isBroken = () => false): Plugin {
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
          async agree(other) {
            if (isBroken()) throw new Error("the key is unavailable");
            return crypto.agree(privateKey, other);
          },
        }),
      }),
  });
}

/** Echoes messages, and counts them. */
const toy = definePlugin({
  name: "toy",
  setup: ({ network }) =>
    network.protocol({
      name: "toy",
      version: 1,
      length: 2,
      connected: (peer) => ({
        received: (code, payload) => void (code === 0 && peer.send(1, payload)),
      }),
    }),
});

async function start(seed: number, options: object = {}, plugins: readonly Plugin[] = [toy]) {
  const node = await createTestNode({
    plugins: [networkDevp2p, keyPlugin(seed), ...plugins],
    options: {
      p2pInterface: "127.0.0.1",
      p2pPort: 0,
      discoveryEnabled: false,
      natMethod: "NONE",
      ...options,
    },
  });
  running.push(node);
  const network = node.node.network ?? expect.fail("no network");
  return { node, network, enode: network.localNode?.enode ?? expect.fail("not listening") };
}

/** Waits until a condition holds; fails after that many milliseconds. */
async function until(isTrue: () => boolean, limitMs = 15_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!isTrue()) {
    if (Date.now() > end) expect.fail(`not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const count = (network: Network) => network.peers().length;

it("a temporarily unavailable key costs connections, not the node", async () => {
  const logs = recordLogs();
  let isBroken = true;
  const options = { p2pInterface: "127.0.0.1", p2pPort: 0, discoveryEnabled: false };
  const node = await createTestNode({
    plugins: [networkDevp2p, keyPlugin(2, () => isBroken), toy],
    options: { ...options, natMethod: "NONE" },
    logs,
  });
  running.push(node);
  const network = node.node.network ?? expect.fail("no network");
  const friend = await start(1);

  friend.network.addStaticPeer(network.localNode?.enode ?? expect.fail("not listening"));
  await until(() => logs.entries.some(({ message }) => message.includes("the key is unavailable")));
  isBroken = false;

  await until(() => count(network) === 1);
});

describe("static peers", () => {
  it("are connected, both ways", async () => {
    const [alice, bob] = [await start(1), await start(2)];

    expect(alice.network.addStaticPeer(bob.enode)).toBe(true);
    await until(() => count(alice.network) === 1 && count(bob.network) === 1);

    expect(alice.network.addStaticPeer(bob.enode)).toBe(false);
    expect(alice.network.addStaticPeer(alice.enode)).toBe(false);
    expect(alice.network.peers()[0]).toMatchObject({ id: bob.enode.id, direction: "outbound" });
    expect(bob.network.peers()[0]).toMatchObject({ id: alice.enode.id, direction: "inbound" });
    expect(bob.network.peers()[0]?.enode.tcpPort).toBe(alice.enode.tcpPort);
  });

  it("are not redialed immediately if a protocol ends the connection while it opens", async () => {
    let opened = 0;
    const refusing = definePlugin({
      name: "toy",
      setup: ({ network }) =>
        network.protocol({
          name: "toy",
          version: 1,
          length: 2,
          connected(peer) {
            opened += 1;
            peer.disconnect("useless-peer");
            return { received() {} };
          },
        }),
    });
    const [alice, bob] = [await start(1, {}, [refusing]), await start(2)];

    alice.network.addStaticPeer(bob.enode);
    await new Promise((resolve) => setTimeout(resolve, 3_500));

    // Immediately, after one second and after two more.
    expect(opened).toBeLessThanOrEqual(3);
  });

  it("have one connection if both dial at the same time", async () => {
    const [alice, bob] = [await start(1), await start(2)];

    alice.network.addStaticPeer(bob.enode);
    bob.network.addStaticPeer(alice.enode);
    await until(() => count(alice.network) === 1 && count(bob.network) === 1);
    await new Promise((resolve) => setTimeout(resolve, 1500));

    const [ofAlice, ofBob] = [alice.network.peers(), bob.network.peers()];
    expect([ofAlice.length, ofBob.length]).toEqual([1, 1]);
    expect(ofAlice[0]?.direction).not.toBe(ofBob[0]?.direction);
  });

  it("are dialed again when they come back", async () => {
    const [alice, bob] = [await start(1), await start(2)];
    alice.network.addStaticPeer(bob.enode);
    await until(() => count(alice.network) === 1);

    await bob.node.stop();
    await until(() => count(alice.network) === 0);
    const again = await start(2, { p2pPort: bob.enode.tcpPort });

    await until(() => count(alice.network) === 1 && count(again.network) === 1);
  });

  it("are disconnected as requested when they are removed", async () => {
    const ends: string[] = [];
    const watch = definePlugin({
      name: "watch",
      setup: ({ hooks }) =>
        hooks.network.disconnected.tap(({ reason, byPeer }) => {
          ends.push(`${reason} ${byPeer}`);
        }),
    });
    const [alice, bob] = [await start(1), await start(2, {}, [toy, watch])];
    alice.network.addStaticPeer(bob.enode);
    await until(() => count(bob.network) === 1);

    expect(alice.network.removeStaticPeer(bob.enode)).toBe(true);
    await until(() => count(bob.network) === 0);

    expect(alice.network.removeStaticPeer(bob.enode)).toBe(false);
    expect(ends).toEqual(["requested true"]);
  });

  it("come from a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plinth-static-"));
    try {
      const bob = await start(2);
      const staticNodesFile = join(folder, "static-nodes.json");
      await writeFile(staticNodesFile, JSON.stringify([formatEnode(bob.enode)]));

      const alice = await start(1, { staticNodesFile });

      await until(() => count(alice.network) === 1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ["is missing", undefined, /Static nodes file .* does not exist/],
    ["is not JSON", "[", /is not JSON/],
    ["does not contain an array", "{}", /does not contain an array/],
    [
      "contains an invalid enode",
      '["enode://zz"]',
      /Illegal static enode supplied \(enode:\/\/zz\)/,
    ],
    [
      "contains a node that does not listen",
      `["enode://${"ab".repeat(64)}@127.0.0.1:0"]`,
      /listening port/,
    ],
  ])("prevent the start if their file %s", async (_, content, message) => {
    const folder = await mkdtemp(join(tmpdir(), "plinth-static-"));
    try {
      const staticNodesFile = join(folder, "nodes.json");
      if (content !== undefined) await writeFile(staticNodesFile, content);

      await expect(start(1, { staticNodesFile })).rejects.toMatchObject({
        code: "STATIC_NODES_INVALID",
        message: expect.stringMatching(message),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("a node", () => {
  it("finds others through a bootnode", async () => {
    const discoveryEnabled = true;
    const boot = await start(9, { discoveryEnabled });
    const bootnodes = [formatEnode(boot.enode)];
    const others = await Promise.all(
      [1, 2, 3].map((seed) => start(seed, { discoveryEnabled, bootnodes })),
    );

    await until(() => [boot, ...others].every(({ network }) => count(network) === 3));

    expect(boot.enode.udpPort).toBe(boot.enode.tcpPort);
  });

  it("finds a bootnode that starts later", async () => {
    const discoveryEnabled = true;
    const boot = await start(9, { discoveryEnabled });
    await boot.node.stop();
    const bootnodes = [formatEnode(boot.enode)];
    const alice = await start(1, { discoveryEnabled, bootnodes });
    await new Promise((resolve) => setTimeout(resolve, 2_000));

    await start(9, { discoveryEnabled, p2pPort: boot.enode.tcpPort });

    await until(() => count(alice.network) === 1, 30_000);
  });

  it("respects the peer limit, with static ones on top", async () => {
    const hub = await start(9, { maxPeers: 2, remoteConnectionsLimitEnabled: false });
    const others = await Promise.all([1, 2, 3, 4].map((seed) => start(seed)));
    for (const { network } of others) network.addStaticPeer(hub.enode);
    await until(() => count(hub.network) === 2);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(count(hub.network)).toBe(2);

    const isIn = ({ enode }: { enode: Enode }) => hub.network.findPeer(enode.id) !== undefined;
    const left = others.find((other) => !isIn(other)) ?? expect.fail("all are in");
    hub.network.addStaticPeer(left.enode);
    await until(() => isIn(left));
    expect(count(hub.network)).toBe(3);
  });

  it("limits the share of inbound peers", async () => {
    const hub = await start(9, { maxPeers: 4, remoteConnectionsMaxPercentage: 25 });
    const others = await Promise.all([1, 2, 3].map((seed) => start(seed)));

    for (const { network } of others) network.addStaticPeer(hub.enode);
    await until(() => count(hub.network) === 1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));

    expect(count(hub.network)).toBe(1);
  });

  it.each([
    ["the operator has banned", (id: string) => ({ bannedNodeIds: [id] })],
    ["are in another network", () => ({ netRestrict: ["10.0.0.0/8"] })],
  ])("rejects nodes that %s", async (_, optionsFor) => {
    const alice = await start(1);
    const bob = await start(2, optionsFor(alice.enode.id));

    alice.network.addStaticPeer(bob.enode);
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    expect(count(bob.network)).toBe(0);
    // Alice learns of it a moment after her dial.
    await until(() => count(alice.network) === 0);
  });

  it("consults plugins for every connection, and again on their request", async () => {
    let refused: string | undefined;
    const guard = definePlugin({
      name: "guard",
      setup: ({ hooks }) =>
        hooks.network.connect.tap(({ peer, direction }): PeerRefusal | undefined =>
          peer.id === refused && direction === "inbound" ? { message: "not listed" } : undefined,
        ),
    });
    const [alice, bob] = [await start(1), await start(2, {}, [toy, guard])];
    alice.network.addStaticPeer(bob.enode);
    await until(() => count(bob.network) === 1);

    refused = alice.enode.id;
    await bob.network.recheck();
    await until(() => count(alice.network) === 0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));

    expect(count(bob.network)).toBe(0);
  });

  it("survives a flood of silent connections", async () => {
    const [alice, bob] = [await start(1), await start(2)];
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(alice.enode.tcpPort, "127.0.0.1");
      return socket.on("error", () => {});
    });
    await until(() => sockets.filter(({ destroyed }) => destroyed).length > 200);

    bob.network.addStaticPeer(alice.enode);
    for (const socket of sockets) socket.destroy();

    await until(() => count(alice.network) === 1);
  });

  it.each([
    ["an invalid bootnode", { discoveryEnabled: true, bootnodes: ["x"] }, "OPTION_INVALID"],
    [
      "a bootnode without discovery",
      { discoveryEnabled: true, bootnodes: [`enode://${"ab".repeat(64)}@127.0.0.1:1?discport=0`] },
      "OPTION_INVALID",
    ],
    ["an unsupported NAT method", { natMethod: "UPNP" }, "OPTION_INVALID"],
    [
      "a missing Kubernetes service",
      { natMethod: "KUBERNETES", XnatMethodFallbackEnabled: false },
      "NAT_UNSUPPORTED",
    ],
    ["an invalid banned id", { bannedNodeIds: ["0xab"] }, "OPTION_INVALID"],
    ["an invalid network", { netRestrict: ["10.0.0.0/33"] }, "OPTION_INVALID"],
    ["DNS updates without DNS", { XdnsUpdateEnabled: true }, "OPTION_INVALID"],
  ])("does not start with %s", async (_, options, code) => {
    await expect(start(1, options)).rejects.toMatchObject({ code });
  });

  it("does not start on a used port, nor without a key", async () => {
    const alice: { enode: Enode } = await start(1);

    await expect(start(2, { p2pPort: alice.enode.tcpPort })).rejects.toMatchObject({
      code: "PORT_IN_USE",
    });
    await expect(
      createTestNode({ plugins: [networkDevp2p, toy], options: { p2pInterface: "127.0.0.1" } }),
    ).rejects.toMatchObject({ code: "NODE_KEY_MISSING" });
  });

  it("has no network with --p2p-enabled=false", async () => {
    await using node = await createTestNode({
      plugins: [networkDevp2p, toy],
      options: { p2pEnabled: false },
    });

    expect(node.node.network).toMatchObject({ isEnabled: false, maxPeers: 0 });
  });
});
