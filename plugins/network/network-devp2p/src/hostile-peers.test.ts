import { connect, type Socket } from "node:net";
import {
  definePlugin,
  encodeRlp,
  loadCrypto,
  type Plugin,
  type ProtocolPeer,
  type Rlp,
} from "@plinth/core";
import type { DisconnectReason, Enode, NodeKey } from "@plinth/core/network";
import { encodeSnappy } from "@plinth/kit-snappy";
import { createRandom, createTestNode, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import networkDevp2p from "./index.js";
import { BASE_CODES, decodeDisconnect, encodeHello, MAX_BASE_BYTES } from "./rlpx/base-protocol.js";
import { FrameEncoder } from "./rlpx/frame-codec.js";
import { createHandshakeSeed, initiate } from "./rlpx/handshake.js";
import { decodePayload, encodeMessage, MAX_FRAME_BYTES } from "./rlpx/message-codec.js";
import { SocketBytes } from "./rlpx/socket-bytes.js";
import { Wire } from "./rlpx/wire.js";

const crypto = await loadCrypto();
const FRAMES = Number(process.env.PLINTH_FRAMES ?? 1_500);
/** Only guards against hanging. */
const LIMIT_MS = 300_000 + 10 * FRAMES;
const EMPTY = new Uint8Array();
const TOY = { name: "toy", version: 1 };
const clock = {
  now: () => Date.now(),
  sleep: async () => {},
  after(ms: number, callback: () => void) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

function keyOf(privateKey: Uint8Array): NodeKey {
  const publicKey = crypto.publicKeyOf(privateKey);
  return {
    publicKey,
    address: crypto.addressOf(publicKey),
    sign: async (hash) => crypto.sign(Buffer.from(hash.slice(2), "hex"), privateKey),
    agree: async (other) => crypto.agree(privateKey, other),
  };
}

function keyPlugin(seed: number): Plugin {
  const key = keyOf(new Uint8Array(32).fill(seed));
  return definePlugin({
    name: "keys-test",
    setup: ({ keys }) => keys.driver({ name: "localfile", open: async () => key }),
  });
}

/** An honest node with an honest peer that pings it over a protocol. */
async function startPair() {
  const logs = errorsOnly();
  const answers: ((payload: Uint8Array) => void)[] = [];
  let peer: ProtocolPeer | undefined;
  const toy = definePlugin({
    name: "toy",
    setup: ({ network }) =>
      network.protocol({
        ...TOY,
        length: 2,
        connected(each) {
          if (each.direction === "outbound") peer = each;
          return {
            received(code, payload) {
              if (code === 0) each.send(1, payload);
              else if (each === peer) answers.shift()?.(payload);
            },
          };
        },
      }),
  });
  const start = (seed: number) =>
    createTestNode({
      plugins: [networkDevp2p, keyPlugin(seed), toy],
      options: {
        p2pInterface: "127.0.0.1",
        p2pPort: 0,
        discoveryEnabled: false,
        natMethod: "NONE",
        remoteConnectionsLimitEnabled: false,
      },
      logs,
    });
  const [victim, friend] = [await start(1), await start(2)];
  const enode = victim.node.network?.localNode?.enode ?? expect.fail("it does not listen");
  friend.node.network?.addStaticPeer(enode);
  while (peer === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  const friendly = peer;
  return {
    enode,
    logs,
    victim,
    /** A request over the honest connection; returns the latency. */
    async ask(): Promise<number> {
      const began = performance.now();
      const answered = new Promise<Uint8Array>((resolve) => answers.push(resolve));
      expect(friendly.send(0, Uint8Array.of(7))).toBe(true);
      expect(await answered).toEqual(Uint8Array.of(7));
      return performance.now() - began;
    },
    async [Symbol.asyncDispose]() {
      await friend.stop();
      await victim.stop();
    },
  };
}

/** Records errors only: during a long attack, other entries would fill the memory. */
function errorsOnly() {
  const logs = recordLogs();
  const silent = () => {};
  const quiet = { warn: silent, info: silent, debug: silent, trace: silent };
  return { ...logs, for: (name: string) => ({ ...logs.for(name), ...quiet }) };
}

/** A connection of a peer that can send anything. */
class Attacker {
  readonly #socket: Socket;
  readonly #encoder: FrameEncoder;
  readonly ended: Promise<DisconnectReason | "closed">;

  private constructor(socket: Socket, encoder: FrameEncoder, ended: Attacker["ended"]) {
    this.#socket = socket;
    this.#encoder = encoder;
    this.ended = ended;
  }

  static async connect({ id, tcpPort }: Enode, random: () => number): Promise<Attacker> {
    const socket = connect(tcpPort, "127.0.0.1");
    socket.setNoDelay(true).on("error", () => {});
    const bytes = new SocketBytes(socket);
    const nodeKey = keyOf(randomBytes(32, random).fill(1, 0, 1));
    const secrets = await initiate({
      nodeKey,
      remotePublicKey: Buffer.from(id.slice(2), "hex"),
      seed: createHandshakeSeed(),
      read: (length) => bytes.read(length),
      write: (packet) => void socket.write(packet),
    });
    const wire = new Wire({ socket, bytes, secrets, clock });
    wire.maxFrameBytes = MAX_FRAME_BYTES;
    const ended = new Promise<DisconnectReason | "closed">((resolve) => {
      wire.receive(
        ({ id: code, data }) => {
          if (code === BASE_CODES.disconnect) {
            resolve(readReason(data));
          }
          return undefined;
        },
        () => resolve("closed"),
      );
    });
    const attacker = new Attacker(socket, new FrameEncoder(secrets), ended);
    attacker.publicKey = nodeKey.publicKey;
    return attacker;
  }

  publicKey: Uint8Array = EMPTY;

  hello(change: object = {}): void {
    const hello = {
      version: 5,
      clientId: "evil/1",
      capabilities: [TOY],
      listenPort: 0,
      id: this.publicKey,
    };
    this.frame(encodeMessage(0, encodeHello({ ...hello, ...change }), false));
  }

  message(id: number, payload: Uint8Array): void {
    this.frame(encodeMessage(id, payload, true));
  }

  frame(body: Uint8Array): void {
    this.raw(this.#encoder.encode(body));
  }

  /** A frame whose bytes are changed in transit. */
  changedFrame(body: Uint8Array, change: (frame: Uint8Array) => Uint8Array): void {
    this.raw(change(this.#encoder.encode(body)));
  }

  raw(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** How the victim ended it; `open` if it did not within that time. */
  async end(limitMs = 2_000): Promise<string> {
    const late = new Promise<"open">((resolve) =>
      setTimeout(() => resolve("open"), limitMs).unref(),
    );
    const end = await Promise.race([this.ended, late]);
    this.#socket.destroy();
    return end;
  }

  leave(): void {
    this.#socket.destroy();
  }
}

/** A node that has not received a Hello does not compress yet. */
function readReason(data: Uint8Array): DisconnectReason {
  try {
    return decodeDisconnect(decodePayload(data, true, MAX_BASE_BYTES));
  } catch {
    return decodeDisconnect(data);
  }
}

function randomBytes(length: number, random: () => number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

const list = (...items: Rlp[]) => encodeRlp(items);

describe("a peer that breaks the rules", () => {
  const EXPECTED: readonly (readonly [string, string, (attacker: Attacker) => void])[] = [
    [
      "sends a message before Hello",
      "breach-of-protocol",
      (a) => a.frame(encodeMessage(16, EMPTY, false)),
    ],
    [
      "sends a Hello of random bytes",
      "breach-of-protocol",
      (a) => a.frame(encodeMessage(0, Uint8Array.of(0xff, 1), false)),
    ],
    [
      "sends a Hello that is not a list",
      "breach-of-protocol",
      (a) => a.frame(encodeMessage(0, Uint8Array.of(0x80), false)),
    ],
    [
      "sends a Hello of 5000 bytes",
      "breach-of-protocol",
      (a) => a.frame(encodeMessage(0, list(new Uint8Array(5_000)), false)),
    ],
    [
      "sends a Hello with another id",
      "unexpected-identity",
      (a) => a.hello({ id: new Uint8Array(64).fill(3) }),
    ],
    [
      "sends a Hello with an id of zeros",
      "null-identity",
      (a) => a.hello({ id: new Uint8Array(64) }),
    ],
    ["speaks version 3", "incompatible-version", (a) => a.hello({ version: 3 })],
    [
      "has no protocol in common",
      "useless-peer",
      (a) => a.hello({ capabilities: [{ name: "toy", version: 2 }] }),
    ],
    ["sends Hello twice", "breach-of-protocol", (a) => [a.hello(), a.message(0, list())]],
    ["uses an unknown message id", "breach-of-protocol", (a) => [a.hello(), a.message(18, list())]],
    [
      "uses an id of 2^31",
      "breach-of-protocol",
      (a) => [a.hello(), a.frame(Uint8Array.of(0x84, 0x80, 0, 0, 0))],
    ],
    [
      "uses an id of 2^64",
      "breach-of-protocol",
      (a) => [a.hello(), a.frame(Uint8Array.of(0x88, ...new Uint8Array(8).fill(255)))],
    ],
    [
      "sends uncompressed data",
      "breach-of-protocol",
      (a) => [a.hello(), a.frame(encodeMessage(16, new Uint8Array(50).fill(0xff), false))],
    ],
    [
      "sends a snappy bomb",
      "breach-of-protocol",
      (a) => [a.hello(), a.frame(Uint8Array.of(16, 0xff, 0xff, 0xff, 0x7f, 0))],
    ],
    [
      "sends a message of 10 MiB and a byte",
      "breach-of-protocol",
      (a) => [
        a.hello(),
        a.frame(Buffer.concat([Uint8Array.of(16), encodeSnappy(new Uint8Array(10 * 2 ** 20 + 1))])),
      ],
    ],
    [
      "sends a frame with a wrong header MAC",
      "breach-of-protocol",
      (a) => [
        a.hello(),
        a.changedFrame(Uint8Array.of(2, 0), (f) =>
          f.map((byte, n) => (n === 20 ? byte ^ 1 : byte)),
        ),
      ],
    ],
    [
      "sends a frame with a wrong body MAC",
      "breach-of-protocol",
      (a) => [
        a.hello(),
        a.changedFrame(Uint8Array.of(2, 0), (f) =>
          f.map((byte, n) => (n === f.length - 1 ? byte ^ 1 : byte)),
        ),
      ],
    ],
    [
      "sends a frame with a changed body",
      "breach-of-protocol",
      (a) => [
        a.hello(),
        a.changedFrame(Uint8Array.of(2, 0), (f) =>
          f.map((byte, n) => (n === 35 ? byte ^ 1 : byte)),
        ),
      ],
    ],
    ["sends an empty frame", "breach-of-protocol", (a) => [a.hello(), a.frame(EMPTY)]],
  ];

  it.each(EXPECTED)("%s: %s", async (_, reason, act) => {
    await using pair = await startPair();
    const attacker = await Attacker.connect(pair.enode, createRandom(1));

    act(attacker);

    expect(await attacker.end()).toBe(reason);
    await pair.ask();
    expect(pair.victim.node.network?.peers()).toHaveLength(1);
  });

  it(
    `sends ${FRAMES} mutated frames: the others are not affected`,
    async () => {
      await using pair = await startPair();
      const random = createRandom(FRAMES);
      const pick = (limit: number) => Math.floor(random() * limit);
      const ends: Record<string, number> = {};
      const before = process.memoryUsage();
      let [sent, slowest, connections] = [0, 0, 0];
      const attack = async () => {
        const attacker = await Attacker.connect(pair.enode, random);
        connections += 1;
        attacker.hello();
        // Harmless garbage, then a harmful frame.
        for (let n = pick(30); n > 0; n--, sent++) {
          const isReserved = random() < 0.5;
          if (isReserved) attacker.message(2 + pick(14), randomBytes(pick(200), random));
          else attacker.message(17, randomBytes(pick(2_000), random));
        }
        sent += 1;
        const body = randomBytes(1 + pick(500), random);
        switch (pick(4)) {
          case 0:
            attacker.changedFrame(body, (frame) => {
              frame[pick(frame.length)] = pick(256);
              return frame;
            });
            break;
          case 1:
            attacker.changedFrame(body, (frame) => frame.subarray(0, pick(frame.length)));
            break;
          case 2:
            attacker.raw(randomBytes(pick(2_000), random));
            break;
          default:
            attacker.frame(body);
        }
        if (random() < 0.8) {
          attacker.leave();
          return;
        }
        const end = await attacker.end(200);
        ends[end] = (ends[end] ?? 0) + 1;
      };

      while (sent < FRAMES) {
        await Promise.all(Array.from({ length: 8 }, attack));
        slowest = Math.max(slowest, await pair.ask());
      }

      const grownMiB = (process.memoryUsage().rss - before.rss) / 2 ** 20;
      process.stdout.write(
        `hostile frames: ${JSON.stringify({ sent, connections, ends, slowest: Math.round(slowest), grownMiB: Math.round(grownMiB) })}\n`,
      );
      expect(pair.victim.node.network?.peers().length).toBeLessThanOrEqual(25);
      expect(pair.logs.entries.filter(({ level }) => level === "error")).toEqual([]);
      expect(grownMiB).toBeLessThan(300);
    },
    LIMIT_MS,
  );
});
