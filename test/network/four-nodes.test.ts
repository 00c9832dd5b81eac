import { describe, expect, it } from "vitest";
import { report } from "../support/report.js";
import { NetworkNode, until } from "./network-node.js";

/** `PLINTH_NETWORK=1` kills each of them. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const RECONNECT_MS = 15_000;

describe("four processes with one bootnode", () => {
  it("find each other, and again after some of them were killed", async () => {
    await using boot = await NetworkNode.start();
    const bootnodes = [await boot.enode()];
    await using alice = await NetworkNode.start({ bootnodes });
    await using bob = await NetworkNode.start({ bootnodes });
    await using carol = await NetworkNode.start({ bootnodes });
    const nodes = [boot, alice, bob, carol];
    const areMeshed = async () =>
      (await Promise.all(nodes.map((node) => node.peerCount()))).every((count) => count === 3);

    const times = [await until(areMeshed, 30_000)];
    for (const node of isLong ? nodes : [boot, alice]) {
      await node.killAndRestart();
      times.push(await until(areMeshed, RECONNECT_MS));
    }

    report("milliseconds until four nodes were meshed", times);
    await alice.rpc("notes_add", ["to all"]);
    for (const node of nodes) {
      await until(async () => JSON.stringify(await node.rpc("notes_list")) === '["to all"]', 5_000);
    }
  });

  it("report about themselves and each other", async () => {
    await using alice = await NetworkNode.start();
    await using bob = await NetworkNode.start({ words: ["--discovery-enabled=false"] });
    const [ofAlice, ofBob] = [await alice.enode(), await bob.enode()];
    expect(ofBob).toMatch(/^enode:\/\/[0-9a-f]{128}@127\.0\.0\.1:\d+\?discport=0$/);
    expect(await alice.rpc("net_listening")).toBe(true);

    expect(await bob.rpc("admin_addPeer", [ofAlice])).toBe(true);
    expect(await bob.rpc("admin_addPeer", [ofAlice])).toBe(false);
    expect(await bob.rpc("admin_addPeer", [ofBob])).toBe(false);
    await until(
      async () => (await alice.peerCount()) === 1 && (await bob.peerCount()) === 1,
      5_000,
    );

    const id = ofAlice.slice("enode://".length, ofAlice.indexOf("@"));
    expect(await bob.rpc("admin_peers")).toEqual([
      {
        version: "0x5",
        name: expect.stringMatching(/^plinth\//),
        caps: ["eth/66", "eth/67", "eth/68", "eth/69", "notes/1"],
        network: {
          localAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          remoteAddress: `127.0.0.1:${alice.port}`,
          inbound: false,
        },
        port: `0x${alice.port.toString(16)}`,
        id: `0x${id}`,
        protocols: {
          eth: {
            version: 69,
            head: expect.stringMatching(/^0x[0-9a-f]{64}$/),
            difficulty: expect.stringMatching(/^0x[0-9a-f]+$/),
          },
          notes: { version: 1, notes: 0 },
        },
        enode: ofAlice,
      },
    ]);
    expect(await alice.rpc("admin_peers")).toMatchObject([{ network: { inbound: true } }]);
    expect(await alice.rpc("admin_nodeInfo")).toMatchObject({
      enode: ofAlice.replace("127.0.0.1", "[::]"),
      listenAddr: `[::]:${alice.port}`,
      id,
      ports: { discovery: alice.port, listener: alice.port },
    });
    expect(await bob.rpc("admin_nodeInfo")).toMatchObject({ ports: { listener: bob.port } });
    expect(await alice.rpc("net_services")).toMatchObject({
      p2p: { host: "127.0.0.1", port: String(alice.port) },
    });
    expect(await alice.rpc("plinth_status")).toMatchObject({ peers: 1 });

    expect(await bob.rpc("admin_removePeer", [ofAlice])).toBe(true);
    expect(await bob.rpc("admin_removePeer", [ofAlice])).toBe(false);
    await until(async () => (await alice.peerCount()) === 0, 5_000);
  });

  it("disconnect cleanly when they stop", async () => {
    await using alice = await NetworkNode.start({ words: ["--logging=DEBUG"] });
    await using bob = await NetworkNode.start({ bootnodes: [await alice.enode()] });
    await until(async () => (await alice.peerCount()) === 1, 10_000);

    await bob.stop();

    await until(async () => alice.output().includes("client-quitting"), 5_000);
  });
});
