import {
  type Address,
  definePlugin,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
  toHex,
} from "@plinth/core";
import type { LinkReceiver, NetworkHost, OfferedProtocol, PeerLink } from "@plinth/core/network";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import protocolEth from "@plinth/plugin-protocol-eth";
import syncFull from "@plinth/plugin-sync-full";
import { createTestNode, FakeClock, MAX_SLICE_MS, measureSlices } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { costlyPayloads } from "../support/costly-payloads.js";
import { leastOf } from "../support/least-of.js";

// Every message of every registered protocol, at its maximum size: a new one is covered
// automatically.

await loadCrypto();
const [OWN, VALIDATOR, STRANGER] = [1, 2, 3].map(
  (seed): Hex => `0x${seed.toString(16).padStart(64, "0")}`,
) as [Hex, Hex, Hex];
/** The largest message that the network carries. */
const MAX_BYTES = 10 * 2 ** 20 - 16;
/** `npm run long -- attacks` tries every payload; elsewhere each message gets some of them. */
const STEP = process.env.PLINTH_STRICT === "1" ? 1 : 4;
const SIZES = [MAX_BYTES, 2 ** 20, 128 * 1024, 1024];
const payloads = new Map(SIZES.map((size) => [size, costlyPayloads(size)]));

const CHAINS = [
  ["QBFT", { qbft: {} }, qbftExtraData, consensusQbft],
  ["IBFT 2.0", { ibft2: {} }, ibftExtraData, consensusIbft],
] as const;
const SENDERS = [
  ["a stranger", STRANGER, false],
  ["a peer", STRANGER, true],
  ["a validator", VALIDATOR, true],
] as const;

describe.each(CHAINS)("a message on a %s chain", (_, config, codec, engine) => {
  const genesis = {
    config: { chainId: 1337, londonBlock: 0, ...config },
    gasLimit: "0x1fffffffffffff",
    difficulty: "0x1",
    extraData: toHex(codec.encodeGenesis([addressOf(OWN), addressOf(VALIDATOR)].sort())),
  };

  it.each(SENDERS)(
    "of %s blocks the event loop only briefly",
    { timeout: 300_000 },
    async (_who, key, isGreeted) => {
      const probe = createProbe();
      const plugins = [engine, protocolEth, syncFull, probe.plugin];
      const options = { networkDriver: "probe" };
      await using _node = await createTestNode({
        genesis,
        plugins,
        options,
        key: OWN,
        clock: new FakeClock(Date.now()),
      });
      let number = 0;
      const slow: string[] = [];
      for (const protocol of probe.host().protocols) {
        for (let code = 0; code < protocol.length; code++) {
          const size = probe.largestTaken(protocol, code, { key, isGreeted });
          if (size === undefined) continue;
          for (const [kind, payload] of payloads.get(size) ?? []) {
            number += 1;
            if (number % STEP !== 0) continue;
            const slowest = await leastOf(MAX_SLICE_MS, async () => {
              const { receiver, close } = probe.connect([protocol], { key, isGreeted });
              const [slice = 0] = await measureSlices(async () => {
                await receiver.received(0, code, payload);
                await turns();
              });
              close();
              return slice;
            });
            if (slowest > MAX_SLICE_MS) {
              slow.push(
                `${protocol.name}/${protocol.version} message ${code}, ${size} bytes, ${kind}: ${slowest}`,
              );
            }
          }
        }
      }

      expect(number).toBeGreaterThan(100);
      expect(slow).toEqual([]);
    },
  );
});

function addressOf(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}

/** Work that a handler started beside the session. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

interface Sender {
  readonly key: Hex;
  /** Whether it has sent its status. */
  readonly isGreeted: boolean;
}

/** A network whose other end is the test. */
function createProbe() {
  let opened: NetworkHost | undefined;
  const host = () => {
    if (opened === undefined) throw new Error("the network is not open");
    return opened;
  };
  const plugin = definePlugin({
    name: "network-probe",
    setup: (node) =>
      node.network.driver({
        name: "probe",
        async open(given) {
          opened = given;
          const publicKey = given.nodeKey?.publicKey ?? new Uint8Array(64);
          const enode = { id: toHex(publicKey), host: "127.0.0.1", tcpPort: 1, udpPort: 0 };
          return {
            localNode: { enode, listening: undefined },
            maxPeers: 25,
            allowsNames: false,
            start: async () => {},
            stop: async () => {},
            addStaticPeer: () => true,
            removeStaticPeer: () => true,
          };
        },
      }),
  });
  const connect = (protocols: readonly OfferedProtocol[], { key, isGreeted }: Sender) => {
    const sent: Uint8Array[] = [];
    const receiver = host().connected(createLink(protocols, key, sent)) as LinkReceiver;
    const [status] = sent;
    if (isGreeted && protocols[0]?.name === "eth" && status !== undefined) {
      void receiver.received(0, 0, status);
    }
    return { receiver, close: () => receiver.ended({ reason: "requested", byPeer: true }) };
  };
  /** The maximum size with which a message is accepted. */
  const largestTaken = (protocol: OfferedProtocol, code: number, sender: Sender) =>
    SIZES.find((size) => {
      const { receiver, close } = connect([protocol], sender);
      const isTaken = receiver.takes(0, code, size);
      close();
      return isTaken;
    });
  return { plugin, host, connect, largestTaken };
}

function createLink(protocols: readonly OfferedProtocol[], key: Hex, sent: Uint8Array[]): PeerLink {
  const id = toHex(getCrypto().publicKeyOf(hexToBytes(key)));
  const address = { host: "127.0.0.1", port: 2 };
  return {
    id,
    direction: "inbound",
    protocols,
    enode: { id, host: address.host, tcpPort: 30_303, udpPort: 0 },
    clientId: "probe/1",
    p2pVersion: 5,
    capabilities: protocols,
    localAddress: address,
    remoteAddress: address,
    send: (_protocol, _code, payload) => void sent.push(payload),
    bufferedBytes: () => 0,
    drained: async () => {},
    close: () => {},
  };
}
