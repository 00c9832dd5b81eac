import { definePlugin, loadCrypto, PeerError, type Plugin } from "@plinth/core";
import { formatEnode } from "@plinth/core/network";
import { createTestNode, FakeClock, recordLogs, type TestNode } from "@plinth/testing";
import { afterEach, describe, expect, it } from "vitest";
import networkDevp2p from "./index.js";

const crypto = await loadCrypto();
const running: TestNode[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop()));
});

/** A protocol, and the problem its sessions report about a peer, if any. */
const speaking = (problem?: string): Plugin =>
  definePlugin({
    name: "toy",
    setup: ({ network }) =>
      network.protocol({
        name: "toy",
        version: 1,
        length: 1,
        connected: () => ({
          received() {},
          ...(problem === undefined
            ? {}
            : { opened: Promise.reject(new PeerError("subprotocol-error", problem)) }),
        }),
      }),
  });

const refusing = definePlugin({
  name: "refusing",
  setup: ({ hooks }) =>
    hooks.network.connect.tap(() => ({ message: "it is not on the allowlist" })),
});

describe("a node without peers", () => {
  it("names the node that it cannot reach, once and then rarely", async () => {
    const node = await start(1);
    node.add({ id: idOf(2), host: "127.0.0.1", tcpPort: 1, udpPort: 0 });

    await node.untilHealth("ECONNREFUSED");
    const warnings = node.warnings();
    await node.clock.advance(1_000_000);

    expect(await node.health()).toMatchObject({ status: "degraded" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^no peers for 6\d s: 1 static nodes, 0 bootnodes; /);
    expect(node.warnings()).toEqual(warnings);
    await node.clock.advance(1_000_000);
    expect(node.warnings()).toHaveLength(2);
  });

  it.each([
    ["of another network", [speaking("its network id is 5, this one's 7")], "its network id is 5"],
    ["rejected by a plugin", [speaking(), refusing], "it is not on the allowlist"],
  ])("names a node %s", async (_, plugins, problem) => {
    const [node, other] = [await start(1, plugins), await start(2)];
    node.add(other.enode);

    await node.untilHealth(problem);

    expect(await node.health()).toMatchObject({ status: "degraded" });
  });

  it("learns from others that they have another genesis file or network id", async () => {
    const [node, other] = [await start(1), await start(2, [speaking("another network")])];
    node.add(other.enode);

    await node.untilHealth("it ended the connection: subprotocol-error, as for another genesis");
  });

  it("may be alone on purpose, and logs how others reach it", async () => {
    const node = await start(1);

    await node.clock.advance(70_000);

    expect(await node.health()).toEqual({
      status: "up",
      detail: `no peers for 70 s: 0 static nodes, 0 bootnodes; --bootnodes or --static-nodes-file name others, who reach this node at ${formatEnode(node.enode)}`,
    });
  });

  it("logs it once, and not as a warning, if it has no other nodes to connect to", async () => {
    const node = await start(1);

    await node.clock.advance(4_000_000);

    expect(node.warnings()).toHaveLength(1);
    expect(node.levels("no peers")).toEqual(["info"]);
    node.add({ id: idOf(2), host: "127.0.0.1", tcpPort: 1, udpPort: 0 });
    await node.clock.advance(10_000);
    expect(node.levels("no peers")).toEqual(["info", "warn"]);
  });

  it("does not wait for itself: a shared list of bootnodes includes this node", async () => {
    const own = { id: idOf(1), host: "127.0.0.1", tcpPort: 1, udpPort: 1 };
    const options = { bootnodes: [formatEnode(own)], discoveryEnabled: true };
    const node = await start(1, [speaking()], options);

    await node.clock.advance(70_000);

    expect(await node.health()).toMatchObject({
      status: "up",
      detail: expect.stringContaining("0 static nodes, 0 bootnodes; "),
    });
  });

  it("is healthy again with a peer", async () => {
    const [node, other] = [await start(1), await start(2)];
    await node.clock.advance(70_000);
    node.add(other.enode);

    await node.untilHealth(undefined);
    await node.clock.advance(10_000);

    expect(node.lines()).toContain("connected to peers again");
  });
});

async function start(
  seed: number,
  plugins: readonly Plugin[] = [speaking()],
  options: Readonly<Record<string, unknown>> = {},
) {
  const clock = new FakeClock(1_000_000_000_000);
  const logs = recordLogs();
  const node = await createTestNode({
    plugins: [networkDevp2p, keyPlugin(seed), ...plugins],
    options: {
      p2pInterface: "127.0.0.1",
      p2pPort: 0,
      discoveryEnabled: false,
      natMethod: "NONE",
      ...options,
    },
    clock,
    logs,
  });
  running.push(node);
  const network = node.node.network ?? expect.fail("no network");
  const health = async () => {
    const { checks } = await node.node.health();
    const { status, detail } = checks.find(({ name }) => name === "peers") ?? {};
    return { status, detail };
  };
  const lines = () => logs.entries.map(({ message }) => message);
  return {
    clock,
    health,
    lines,
    enode: network.localNode?.enode ?? expect.fail("not listening"),
    add: network.addStaticPeer.bind(network),
    warnings: () => lines().filter((line) => line.startsWith("no peers")),
    levels: (text: string) =>
      logs.entries.filter(({ message }) => message.startsWith(text)).map(({ level }) => level),
    /** Lets the node dial until its health has a text, or none. */
    async untilHealth(text: string | undefined): Promise<void> {
      await clock.advance(61_000 - Math.min(61_000, clock.now() - 1_000_000_000_000));
      for (let round = 0; round < 500; round++) {
        const { detail } = await health();
        if (text === undefined ? detail === undefined : detail?.includes(text)) return;
        // Connections take real time; dials are scheduled by the clock of the node.
        await new Promise((resolve) => setTimeout(resolve, 10));
        await clock.advance(500);
      }
      expect.fail(`its health is ${JSON.stringify(await health())}`);
    },
  };
}

function idOf(seed: number) {
  return `0x${Buffer.from(crypto.publicKeyOf(new Uint8Array(32).fill(seed))).toString("hex")}` as const;
}

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
