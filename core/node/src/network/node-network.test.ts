import type { ProtocolPeer, ProtocolSession } from "@plinth/core";
import { PeerError, RlpError } from "@plinth/core";
import { HookFactory } from "@plinth/core/kernel";
import type {
  DisconnectReason,
  LinkReceiver,
  NetworkHost,
  PeerEnd,
  PeerLink,
} from "@plinth/core/network";
import { createNetworkHooks, type PeerRefusal } from "@plinth/core/network";
import { FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { BoundProtocol } from "./bound-protocol.js";
import { NodeNetwork } from "./node-network.js";

const OWN = `0x${"50".repeat(64)}` as const;
const LOW = `0x${"10".repeat(64)}` as const;
const HIGH = `0x${"90".repeat(64)}` as const;
const TOY = { name: "toy", version: 1, length: 3 };
const PAYLOAD = new Uint8Array([1, 2]);
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A network with one protocol over links that only record what is sent. */
async function openNetwork(open: (peer: ProtocolPeer) => ProtocolSession = () => idle) {
  const events: string[] = [];
  const logs = recordLogs();
  const factory = new HookFactory({ ownerOf: () => ({ active: true }), failed: () => {} });
  const hooks = createNetworkHooks(factory);
  const tap = hooks.connected.facade("test");
  tap.tap(({ peer }) => void events.push(`connected ${peer.id.slice(2, 4)}`));
  hooks.disconnected.facade("test").tap(({ peer, reason, byPeer }) => {
    events.push(`disconnected ${peer.id.slice(2, 4)} ${reason}${byPeer ? " by peer" : ""}`);
  });
  const network = new NodeNetwork({
    id: 7n,
    publicKey: undefined,
    protocols: [],
    hooks,
    clock: new FakeClock(1000),
    log: logs.for("network"),
  });
  let host: NetworkHost | undefined;
  const enode = { id: OWN, host: "127.0.0.1", tcpPort: 1, udpPort: 0 };
  const protocols: BoundProtocol[] = [{ ...TOY, plugin: "toys", open }];
  await network.open(
    {
      name: "test",
      async open(opened) {
        host = opened;
        return {
          localNode: { enode, listening: undefined },
          maxPeers: 25,
          allowsNames: false,
          start: async () => void events.push("started"),
          stop: async () => void events.push("stopped"),
          addStaticPeer: () => true,
          removeStaticPeer: () => true,
        };
      },
    },
    {
      genesis: {},
      nodeKey: undefined,
      clientVersion: "plinth/test",
      dataPath: "/",
      log: logs.for("test"),
      protocols,
    },
  );
  const connect = (settings: Partial<PeerLink> = {}) => {
    const sent: [number, number, Uint8Array][] = [];
    const closed: DisconnectReason[] = [];
    const link = linkOf({ ...settings, sent, closed });
    return { sent, closed, receiver: host?.connected(link) as LinkReceiver };
  };
  return { network, hooks, events, connect, host: host as NetworkHost, entries: logs.entries };
}

const idle: ProtocolSession = { received() {} };

function linkOf({
  id = HIGH,
  direction = "inbound",
  protocols = [TOY],
  sent,
  closed,
}: Partial<PeerLink> & {
  sent: [number, number, Uint8Array][];
  closed: DisconnectReason[];
}): PeerLink {
  return {
    id,
    direction,
    protocols,
    enode: { id, host: "127.0.0.1", tcpPort: 30303, udpPort: 0 },
    clientId: "toy/1",
    p2pVersion: 5,
    capabilities: [TOY, { name: "other", version: 4 }],
    localAddress: { host: "127.0.0.1", port: 1 },
    remoteAddress: { host: "127.0.0.1", port: 2 },
    send: (...message) => void sent.push(message),
    bufferedBytes: () => 0,
    drained: async () => {},
    close: (reason) => void closed.push(reason),
  };
}

describe("a network without a driver", () => {
  it("has no peers, and none can be added", async () => {
    const hooks = createNetworkHooks(
      new HookFactory({ ownerOf: () => ({ active: true }), failed() {} }),
    );
    const logs = recordLogs();
    const network = new NodeNetwork({
      id: 7n,
      publicKey: undefined,
      protocols: [],
      hooks,
      clock: new FakeClock(),
      log: logs.for("network"),
    });
    const enode = { id: LOW, host: "127.0.0.1", tcpPort: 1, udpPort: 1 };

    await network.start();

    expect(network).toMatchObject({ isEnabled: false, maxPeers: 0, localNode: undefined });
    expect(network.peers()).toEqual([]);
    await network.recheck();
    expect(() => network.addStaticPeer(enode)).toThrow(
      expect.objectContaining({ code: "NETWORK_DISABLED" }),
    );
    await network.stop();
  });
});

describe("a connection", () => {
  it("opens a session that receives and sends", async () => {
    const seen: unknown[] = [];
    const opened: ProtocolPeer[] = [];
    const { network, events, connect } = await openNetwork((peer) => {
      opened.push(peer);
      return { received: (code, payload) => void seen.push([code, payload]) };
    });

    const { receiver, sent } = connect();
    void receiver.received(0, 2, PAYLOAD);

    expect(seen).toEqual([[2, PAYLOAD]]);
    expect(opened[0]?.protocol).toEqual({ name: "toy", version: 1 });
    expect(opened[0]?.send(1, PAYLOAD)).toBe(true);
    expect(sent).toEqual([[0, 1, PAYLOAD]]);
    expect(() => opened[0]?.send(3, PAYLOAD)).toThrow(/codes below 3, not 3/);
    const [peer] = network.peers();
    expect(peer).toMatchObject({ id: HIGH, clientId: "toy/1", direction: "inbound" });
    expect(network.findPeer(HIGH)).toBe(peer);
    expect(peer?.statistics()).toEqual({
      connectedAt: 1000,
      messagesIn: 1,
      messagesOut: 1,
      bytesIn: 2,
      bytesOut: 2,
    });
    expect(events).toEqual(["connected 90"]);
  });

  it.each([
    [
      "the peer ends it",
      (receiver: LinkReceiver) => receiver.ended({ reason: "timeout", byPeer: true }),
    ],
    [
      "the driver reports it twice",
      (receiver: LinkReceiver) => {
        receiver.ended({ reason: "timeout", byPeer: true });
        receiver.ended({ reason: "requested", byPeer: false });
      },
    ],
  ])("ends once when %s", async (_, end) => {
    const ends: PeerEnd[] = [];
    const opened: ProtocolPeer[] = [];
    const { network, events, connect } = await openNetwork((peer) => {
      opened.push(peer);
      return { ...idle, ended: (each) => void ends.push(each) };
    });
    const { receiver, sent } = connect();

    end(receiver);

    expect(ends).toEqual([{ reason: "timeout", byPeer: true }]);
    expect(events).toEqual(["connected 90", "disconnected 90 timeout by peer"]);
    expect(network.peers()).toEqual([]);
    expect(opened[0]?.signal.aborted).toBe(true);
    expect(opened[0]?.send(0, PAYLOAD)).toBe(false);
    expect(sent).toEqual([]);
  });

  it.each([
    ["a PeerError", new PeerError("useless-peer", "no block"), "useless-peer", 0],
    ["an RlpError", new RlpError("RLP: no bytes"), "breach-of-protocol", 0],
    ["any other error", new Error("a bug"), "subprotocol-error", 1],
  ])("is closed when a session throws %s", async (_, error, reason, logged) => {
    const { connect, entries } = await openNetwork(() => ({
      async received() {
        throw error;
      },
    }));
    const { receiver, closed } = connect();

    void receiver.received(0, 0, PAYLOAD);
    await settle();

    expect(closed).toEqual([reason]);
    const errors = entries.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(logged);
  });

  it("accepts the messages and sizes that its session accepts", async () => {
    const { connect } = await openNetwork(() => ({ ...idle, takes: (_, bytes) => bytes <= 10 }));
    const { receiver, closed } = connect();

    expect([10, 11].map((bytes) => receiver.takes(0, 0, bytes))).toEqual([true, false]);
    expect(receiver.takes(1, 0, 10)).toBe(false);
    expect(closed).toEqual([]);
  });

  it("is closed when a session throws while deciding about a message", async () => {
    const { connect } = await openNetwork(() => ({
      ...idle,
      takes() {
        throw new PeerError("breach-of-protocol", "too large");
      },
    }));
    const { receiver, closed } = connect();

    expect(receiver.takes(0, 0, 1)).toBe(false);
    expect(closed).toEqual(["breach-of-protocol"]);
  });

  it("is not reported if a session rejects it while opening", async () => {
    const ends: PeerEnd[] = [];
    const { network, events, connect } = await openNetwork((peer) => {
      peer.disconnect("useless-peer");
      return { ...idle, ended: (end) => void ends.push(end) };
    });

    const { closed } = connect();

    expect(closed).toEqual(["useless-peer"]);
    expect(ends).toEqual([{ reason: "useless-peer", byPeer: false }]);
    expect(events).toEqual([]);
    expect(network.peers()).toEqual([]);
  });

  it("counts once its sessions are open, and is closed if one of them does not open", async () => {
    const opens: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const { network, events, connect } = await openNetwork(() => ({
      ...idle,
      opened: new Promise<void>((resolve, reject) => opens.push({ resolve, reject })),
    }));
    connect({ id: LOW });
    const { closed } = connect({ id: HIGH });
    expect(network.peers()).toEqual([]);

    opens[0]?.resolve();
    opens[1]?.reject(new PeerError("subprotocol-error", "another network"));
    await settle();

    expect(network.peers().map(({ id }) => id)).toEqual([LOW]);
    expect(closed).toEqual(["subprotocol-error"]);
    expect(events).toEqual(["connected 10"]);
  });

  it.each([
    ["inbound", "inbound", HIGH, "existing"],
    ["inbound", "outbound", HIGH, "new"],
    ["outbound", "inbound", HIGH, "existing"],
    ["inbound", "outbound", LOW, "existing"],
    ["outbound", "inbound", LOW, "new"],
  ] as const)(
    "that is %s and then %s with %.4s… leaves the %s one",
    async (first, second, id, kept) => {
      const { network, connect } = await openNetwork();

      const existing = connect({ id, direction: first });
      const { receiver, closed } = connect({ id, direction: second });

      expect(network.peers().map(({ direction }) => direction)).toEqual([
        kept === "new" ? second : first,
      ]);
      expect(existing.closed).toEqual(kept === "new" ? ["already-connected"] : []);
      expect(receiver === ("already-connected" as unknown)).toBe(kept === "existing");
      expect(closed).toEqual([]);
    },
  );

  it("is rejected while the node stops, and the others are notified", async () => {
    const { network, connect, events } = await openNetwork();
    const { closed } = connect();

    await network.stop();

    expect(closed).toEqual(["client-quitting"]);
    expect(events).toEqual(["connected 90", "disconnected 90 client-quitting", "stopped"]);
    expect(connect({ id: LOW }).receiver).toBe("client-quitting");
  });

  it("is closed after too many useless responses", async () => {
    const { network, connect } = await openNetwork();
    const { closed } = connect();

    for (let n = 0; n < 5; n++) {
      network.findPeer(HIGH)?.report({ outcome: "useless", request: "headers" });
    }

    expect(closed).toEqual(["useless-peer"]);
  });
});

describe("plugins", () => {
  const refusal: PeerRefusal = { message: "not on the list" };

  it("decide about messages", async () => {
    const seen: number[] = [];
    const { hooks, connect } = await openNetwork(() => ({
      received: (code) => void seen.push(code),
    }));
    hooks.message.facade("test").tap(({ code }) => (code === 1 ? refusal : undefined));
    const { receiver, closed } = connect();

    void receiver.received(0, 0, PAYLOAD);
    void receiver.received(0, 1, PAYLOAD);
    void receiver.received(0, 2, PAYLOAD);
    await settle();

    expect(seen).toEqual([0]);
    expect(closed).toEqual(["unspecified"]);
  });

  it("decide about connections again on request", async () => {
    const { network, hooks, connect } = await openNetwork();
    const [low, high] = [connect({ id: LOW }), connect({ id: HIGH })];
    hooks.connect.facade("test").tap(({ peer }) => (peer.id === LOW ? refusal : undefined));

    await network.recheck();

    expect([low.closed, high.closed]).toEqual([["requested"], []]);
    expect(network.peers().map(({ id }) => id)).toEqual([HIGH]);
  });

  it("are asked about nodes and connections by the driver", async () => {
    const { hooks, host } = await openNetwork();
    const node = { id: LOW, host: "127.0.0.1", tcpPort: 1, udpPort: 1 };
    const ask = () => host.discover({ node, direction: "outbound" });

    expect(await ask()).toBeUndefined();
    hooks.discover.facade("test").tap(() => refusal);
    expect(await ask()).toBe(refusal);
    expect(await host.connect({ peer: { id: LOW, enode: node }, direction: "inbound" })).toBe(
      undefined,
    );
  });
});

describe("a protocol that violates its contract", () => {
  it.each<[string, () => unknown]>([
    ["returns no session", () => undefined],
    ["returns a session without a handler", () => ({})],
  ])("%s: the peer is disconnected, and the error is attributed to the plugin", async (_, open) => {
    const { network, connect, entries } = await openNetwork(open as () => ProtocolSession);

    const { closed } = connect();
    await settle();

    expect(closed).toEqual(["subprotocol-error"]);
    expect(network.peers()).toEqual([]);
    expect(entries.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(entries.find(({ level }) => level === "error")?.message).toContain("toys failed");
  });

  it("fails asynchronously in ended: the error is that plugin's alone", async () => {
    const failing: ProtocolSession = {
      received() {},
      ended: async () => {
        throw new Error("too late");
      },
    };
    const { connect, entries } = await openNetwork(() => failing);

    connect().receiver.ended({ reason: "requested", byPeer: true });
    await settle();

    expect(entries.filter(({ level }) => level === "error")).toMatchObject([
      { message: expect.stringContaining("toys failed in toy/1") },
    ]);
  });

  it("fails to describe a peer: the others are still described", async () => {
    const failing: ProtocolSession = {
      received() {},
      describe() {
        throw new Error("no words");
      },
    };
    const { network, connect } = await openNetwork(() => failing);
    connect();

    expect(network.peers().map((peer) => peer.describe())).toEqual([{}]);
  });
});
