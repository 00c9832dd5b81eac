import {
  decodeRlp,
  definePlugin,
  type Hash,
  type Rlp,
  type Runtime,
  type SubProtocol,
  toHex,
} from "@plinth/core";
import protocolEth from "@plinth/plugin-protocol-eth";
import { expect, it } from "vitest";
import {
  COUNT,
  createDisk,
  createWorld,
  fillDisk,
  makeSnapChain,
  PIVOT,
  watch,
} from "../support/snap-world.js";

const GET_BODIES = 5;
const MINUTES = 3;

/** The eth protocol of a peer that records the blocks whose bodies are requested. */
function recordingEth(requested: Set<Hash>) {
  return definePlugin({
    ...protocolEth,
    setup(node) {
      const protocol = (offered: SubProtocol<Runtime>) =>
        node.network.protocol({
          ...offered,
          connected(peer, runtime) {
            const session = offered.connected(peer, runtime);
            const received: typeof session.received = (code, payload) => {
              if (code === GET_BODIES) {
                const [, hashes] = decodeRlp(payload) as readonly [Rlp, readonly Uint8Array[]];
                for (const hash of hashes) requested.add(toHex(hash));
              }
              return session.received(code, payload);
            };
            return new Proxy(session, {
              get: (target, key) => {
                if (key === "received") return received;
                const value = Reflect.get(target, key);
                return typeof value === "function" ? value.bind(target) : value;
              },
            });
          },
        });
      protocolEth.setup({ ...node, network: { ...node.network, protocol } } as never);
    },
  });
}

it.each([
  ["all", true],
  ["2000", false],
])(
  "a joined node with --blocks-retained=%s requests old blocks: %s",
  async (blocksRetained, isRequested) => {
    const chain = await makeSnapChain();
    const disk = await fillDisk(chain, COUNT);
    const world = createWorld(chain, disk);
    const requested = new Set<Hash>();
    await using peer = await world.startPeer("peer", { eth: recordingEth(requested) });
    const joiner = await world.createJoiner(await createDisk(), { blocksRetained });
    const started = watch(joiner.start());
    await world.until(() => started.isOver);
    await world.until(() => joiner.blocks.head().hash === peer.node.blocks.head().hash);

    for (let minute = 0; minute < MINUTES; minute++) await world.clock.advance(60_000);

    const hashOf = (number: bigint) => peer.node.blocks.findHeader(number)?.hash as Hash;
    expect(requested.has(hashOf(PIVOT + 1n))).toBe(true);
    expect(requested.has(hashOf(PIVOT - 1n))).toBe(isRequested);
    expect(joiner.blocks.firstRetained()).toBe(isRequested ? 0n : PIVOT);
    await joiner.stop();
  },
);
