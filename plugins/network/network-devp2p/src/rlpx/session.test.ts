import { connect, createServer, type Socket } from "node:net";
import { type Clock, loadCrypto, toHex } from "@plinth/core";
import type { LinkReceiver, NodeKey, OfferedProtocol, PeerEnd } from "@plinth/core/network";
import { FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { openSession } from "./open-session.js";
import type { Session } from "./session.js";

const crypto = await loadCrypto();
const ETH = { name: "eth", version: 68, length: 17 };
const TOY = { name: "toy", version: 1, length: 2 };
const system = { now: () => Date.now(), sleep: async () => {}, after };

function after(ms: number, callback: () => void) {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function keyOf(byte: number): NodeKey {
  const privateKey = new Uint8Array(32).fill(byte);
  const publicKey = crypto.publicKeyOf(privateKey);
  return {
    publicKey,
    address: crypto.addressOf(publicKey),
    sign: async (hash) => crypto.sign(Buffer.from(hash.slice(2), "hex"), privateKey),
    agree: async (other) => crypto.agree(privateKey, other),
  };
}

interface Ends {
  readonly near: Socket;
  readonly far: Socket;
}

/** Two ends of a real connection over loopback. */
async function createSockets(): Promise<Ends & AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const { port } = server.address() as { port: number };
  const near = connect(port, "127.0.0.1");
  const far = await accepted;
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      near.destroy();
      far.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DIALLER = keyOf(1);
const LISTENER = keyOf(2);

interface SideSettings {
  readonly protocols?: readonly OfferedProtocol[];
  readonly nodeKey?: NodeKey;
  readonly clock?: Clock;
}

function openNear(
  { near }: Ends,
  { protocols = [ETH], nodeKey = DIALLER, clock = system }: SideSettings = {},
) {
  return openSession({
    socket: near,
    nodeKey,
    dialled: { id: toHex(LISTENER.publicKey), host: "127.0.0.1", tcpPort: 0, udpPort: 0 },
    clientId: "near/1",
    protocols,
    listenPort: 30303,
    clock,
    log: recordLogs().for("test"),
  });
}

function openFar(
  { far }: Ends,
  { protocols = [ETH], nodeKey = LISTENER, clock = system }: SideSettings = {},
) {
  return openSession({
    socket: far,
    nodeKey,
    clientId: "far/1",
    protocols,
    listenPort: 0,
    clock,
    log: recordLogs().for("test"),
  });
}

/** A receiver that records its messages. */
function createReceiver(
  handle?: LinkReceiver["received"],
  takes: LinkReceiver["takes"] = () => true,
) {
  const messages: [number, number, string][] = [];
  const ends: PeerEnd[] = [];
  let arrived = () => {};
  const receiver: LinkReceiver = {
    takes,
    received(protocol, code, payload) {
      messages.push([protocol, code, toHex(payload.subarray(0, 8))]);
      arrived();
      return handle?.(protocol, code, payload);
    },
    ended: (end) => {
      ends.push(end);
      arrived();
    },
  };
  const until = async (isDone: () => boolean) => {
    while (!isDone()) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
  };
  return { receiver, messages, ends, until };
}

async function openBoth(ends: Ends, near: SideSettings = {}, far: SideSettings = {}) {
  return Promise.all([openNear(ends, near), openFar(ends, far)]);
}

describe("a session over a socket", () => {
  it("has the identity of the other side and the shared protocols", async () => {
    await using ends = await createSockets();

    const [near, far] = await openBoth(ends, { protocols: [TOY, ETH] }, { protocols: [ETH, TOY] });

    expect(near).toMatchObject({ direction: "outbound", clientId: "far/1", p2pVersion: 5 });
    expect(far).toMatchObject({ direction: "inbound", clientId: "near/1" });
    expect(near.id).toBe(toHex(LISTENER.publicKey));
    expect(far.id).toBe(toHex(DIALLER.publicKey));
    expect(near.protocols).toEqual([ETH, TOY]);
    expect(far.enode).toMatchObject({ host: "127.0.0.1", tcpPort: 30303 });
    expect(near.enode.tcpPort).toBe(0);
  });

  it("carries messages of every size both ways, in order", async () => {
    await using ends = await createSockets();
    const [near, far] = await openBoth(ends, { protocols: [ETH, TOY] }, { protocols: [ETH, TOY] });
    const [a, b] = [createReceiver(), createReceiver()];
    near.run(a.receiver);
    far.run(b.receiver);
    const sizes = [0, 1, 15, 16, 17, 1000, 70_000, 10 * 2 ** 20];

    for (const size of sizes) {
      near.send(1, 1, new Uint8Array(size).fill(size % 251));
      far.send(0, 16, new Uint8Array(size).fill(size % 251));
    }
    await Promise.all([
      a.until(() => a.messages.length === sizes.length),
      b.until(() => b.messages.length === sizes.length),
    ]);

    expect(b.messages.every(([protocol, code]) => protocol === 1 && code === 1)).toBe(true);
    expect(a.messages.map(([, , payload]) => payload)).toEqual(
      b.messages.map(([, , payload]) => payload),
    );
    expect(() => near.send(0, 0, new Uint8Array(10 * 2 ** 20 + 1))).toThrow(/at most 10485760/);
  });

  it("does not decompress messages that its receiver rejects", async () => {
    await using ends = await createSockets();
    const [near, far] = await openBoth(ends);
    const sizes: number[] = [];
    const b = createReceiver(undefined, (_protocol, _code, bytes) => {
      sizes.push(bytes);
      return bytes < 1000;
    });
    far.run(b.receiver);

    near.send(0, 1, new Uint8Array(10 * 2 ** 20));
    near.send(0, 2, Uint8Array.of(7));
    await b.until(() => b.messages.length > 0);

    expect(sizes).toEqual([10 * 2 ** 20, 1]);
    expect(b.messages).toEqual([[0, 2, "0x07"]]);
  });

  it.each([
    "client-quitting",
    "requested",
    "too-many-peers",
    "subprotocol-error",
    "unspecified",
  ] as const)("sends the peer the disconnect reason: %s", async (reason) => {
    await using ends = await createSockets();
    const [near, far] = await openBoth(ends);
    const [a, b] = [createReceiver(), createReceiver()];
    near.run(a.receiver);
    far.run(b.receiver);

    near.close(reason);
    await b.until(() => b.ends.length > 0);
    await Promise.all([near.closed, far.closed]);

    expect(b.ends).toEqual([{ reason, byPeer: true }]);
    expect(a.ends).toEqual([]);
  });

  it("ends with a TCP error if the other side is gone", async () => {
    await using ends = await createSockets();
    const [near] = await openBoth(ends);
    const a = createReceiver();
    near.run(a.receiver);

    ends.far.resetAndDestroy();
    await a.until(() => a.ends.length > 0);

    expect(a.ends).toEqual([{ reason: "tcp-error", byPeer: true, why: expect.any(String) }]);
  });

  it("reads nothing more while its receiver is busy", async () => {
    await using ends = await createSockets();
    const [near, far] = await openBoth(ends);
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const b = createReceiver(() => gate);
    far.run(b.receiver);

    for (let n = 0; n < 200; n++) near.send(0, 1, noise(100_000));
    await b.until(() => b.messages.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(b.messages).toHaveLength(1);
    expect(near.bufferedBytes()).toBeGreaterThan(2 ** 20);

    go();
    await b.until(() => b.messages.length === 200);
    await near.drained();
    expect(near.bufferedBytes()).toBeLessThan(2 ** 16);
  });

  it("yields to others while a peer sends many small messages", async () => {
    await using ends = await createSockets();
    const [near, far] = await openBoth(ends);
    let [read, inTurn, most] = [0, 0, 0];
    far.counted = () => {
      read += 1;
      inTurn += 1;
      most = Math.max(most, inTurn);
    };
    near.run(createReceiver().receiver);
    for (let n = 0; n < 3_000; n++) near.send(0, 2 - 16, Uint8Array.of(0xc0));
    await new Promise((resolve) => setTimeout(resolve, 100));

    far.run(createReceiver().receiver);
    while (read < 3_000) {
      await new Promise((resolve) => setImmediate(resolve));
      inTurn = 0;
    }

    expect(most).toBeLessThanOrEqual(64);
  });

  it("limits its Pongs to what the peer reads", async () => {
    await using ends = await createSockets();
    const [near, far] = await openBoth(ends);
    far.run(createReceiver().receiver);

    // A code before those of the protocol belongs to the base protocol; this end does not read.
    const ping = () => near.send(0, 2 - 16, Uint8Array.of(0xc0));
    let most = 0;
    for (let round = 0; round < 30; round++) {
      for (let n = 0; n < 1_000; n++) ping();
      await new Promise((resolve) => setTimeout(resolve, 1));
      most = Math.max(most, far.bufferedBytes());
    }

    expect(most).toBeLessThan(2 ** 20);
    expect(far.hasEnded).toBe(false);
  });

  it("pings a silent peer, and ends if there is no response", async () => {
    await using ends = await createSockets();
    const clock = new FakeClock();
    const [near, far] = await openBoth(ends, { clock });
    const a = createReceiver();
    near.run(a.receiver);
    const counted: string[] = [];
    far.counted = (direction, _protocol, code) => void counted.push(`${direction} ${code}`);
    far.run(createReceiver().receiver);

    await clock.advance(15_000);
    await clock.advance(15_000);
    while (counted.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(counted).toEqual(["inbound 2"]);
    expect(a.ends).toEqual([]);

    ends.far.pause();
    await clock.advance(45_000);
    expect(a.ends).toEqual([{ reason: "timeout", byPeer: false, why: expect.any(String) }]);
  });
});

describe("a connection is not opened", () => {
  const reasonOf = (session: Promise<Session>) =>
    session.then(
      () => "open",
      (error) => `${error.constructor.name} ${error.reason}`,
    );

  it.each([
    ["if no protocol is shared", {}, { protocols: [TOY] }, "PeerError useless-peer"],
    ["with itself", { nodeKey: LISTENER }, {}, "PeerError same-identity"],
  ])("%s", async (_, near, far, reason) => {
    await using ends = await createSockets();

    const opened = [openNear(ends, near), openFar(ends, far)].map(reasonOf);

    expect(await Promise.all(opened)).toContain(reason);
  });

  it("with a node that has another key than the dialed one", async () => {
    await using ends = await createSockets();

    const opened = [openNear(ends), openFar(ends, { nodeKey: keyOf(3) })].map(reasonOf);

    expect(await Promise.all(opened)).toEqual([
      "PeerError tcp-error",
      "PeerError breach-of-protocol",
    ]);
  });

  it.each([
    ["says nothing", 0, "PeerError timeout"],
    ["stops in the middle of the handshake", 100, "PeerError timeout"],
    ["sends noise", 3_000, "PeerError breach-of-protocol"],
  ])("with a peer that %s", async (_, length, reason) => {
    await using ends = await createSockets();
    const clock = new FakeClock();

    const opened = reasonOf(openFar(ends, { clock }));
    ends.near.on("error", () => {});
    ends.near.write(noise(length));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(10_000);

    expect(await opened).toBe(reason);
    expect(ends.far.destroyed).toBe(true);
  });
});

/** Bytes that cannot be compressed and do not look like a handshake. */
function noise(length: number): Uint8Array {
  let state = 7;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}
