import type { AddressInfo } from "node:net";
import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { ETH, EthMessageCodes, type Peer, RLPx } from "@ethereumjs/devp2p";
import {
  type BlockReader,
  definePlugin,
  type Hash,
  hexToBytes,
  type Plugin,
  toHex,
} from "@plinth/core";
import { bodyToRlp, headerToRlp, scalarBytes } from "@plinth/core/blocks";
import networkDevp2p from "@plinth/plugin-network-devp2p";
import protocolEth from "@plinth/plugin-protocol-eth";
import syncFull from "@plinth/plugin-sync-full";
import { createGate, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { expect, it } from "vitest";

const { GET_BLOCK_HEADERS, BLOCK_HEADERS, GET_BLOCK_BODIES, BLOCK_BODIES } = EthMessageCodes;
const KEY = `0x${"05".repeat(32)}` as const;

/** An item of a message, as the library decodes it. */
type Item = Uint8Array | readonly Item[];

/** A node of the library, with the blocks of a chain. */
class Library extends RLPx {
  readonly #blocks: BlockReader;

  constructor(blocks: BlockReader) {
    const last = Mainnet.hardforks.findIndex(({ name }) => name === Hardfork.London);
    const hardforks = Mainnet.hardforks.slice(0, last + 1).map(({ name }) => ({ name, block: 0 }));
    const { chainId } = DEV_GENESIS.config;
    const common = createCustomCommon({ chainId, hardforks }, Mainnet, {
      hardfork: Hardfork.London,
    });
    common.setForkHashes(hexToBytes(genesisOf(blocks)));
    super(new Uint8Array(32).fill(3), { common, capabilities: [ETH.eth68] });
    this.#blocks = blocks;
  }

  get port(): number {
    const address = this._server?.address() as AddressInfo | null | undefined;
    return address?.port ?? expect.fail("not listening");
  }

  /** The next connection, once both have sent a status; it responds to requests. */
  greeted(): Promise<{ readonly eth: ETH; readonly head: Hash }> {
    return new Promise((resolve, reject) => {
      this.events.once("peer:error", (_, error) => reject(error));
      this.events.once("peer:removed", (_, reason) => reject(new Error(`reason ${reason}`)));
      this.events.once("peer:added", (peer) => {
        const eth = ethOf(peer);
        eth.events.once("status", ({ bestHash }) => resolve({ eth, head: toHex(bestHash) }));
        eth.events.on("message", (code, payload) => this.#answer(eth, code, payload as Item[]));
        const { hash } = this.#blocks.head();
        eth.sendStatus({
          td: scalarBytes(this.#blocks.findTotalDifficulty(hash) ?? 0n),
          bestHash: hexToBytes(hash),
          genesisHash: hexToBytes(genesisOf(this.#blocks)),
        });
      });
    });
  }

  #answer(eth: ETH, code: number, [id = [], body = []]: readonly Item[]): void {
    if (code === GET_BLOCK_HEADERS) {
      // The node requests forwards from a hash.
      const [start, limit] = body as [Uint8Array, Uint8Array];
      const first = this.#blocks.findHeader(toHex(start))?.number ?? expect.fail("no such block");
      const headers = Array.from({ length: limit[0] ?? 0 }, (_, index) =>
        this.#blocks.findHeader(first + BigInt(index)),
      ).flatMap((header) => (header === undefined ? [] : [headerToRlp(header)]));
      eth.sendMessage(BLOCK_HEADERS, [id, headers] as Input);
    } else if (code === GET_BLOCK_BODIES) {
      const bodies = (body as readonly Uint8Array[]).map((hash) => {
        const block = this.#blocks.findBlock(toHex(hash)) ?? expect.fail("no such block");
        return bodyToRlp(block.body);
      });
      eth.sendMessage(BLOCK_BODIES, [id, bodies] as Input);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.destroy(() => resolve()));
  }
}

type Input = Parameters<ETH["sendMessage"]>[1];

function ethOf(peer: Peer): ETH {
  const eth = peer.getProtocols().find((protocol) => protocol instanceof ETH);
  return eth ?? expect.fail("no eth");
}

function nextMessage(eth: ETH, wanted: number): Promise<unknown> {
  return new Promise((resolve) => {
    eth.events.on("message", (code, payload) => void (code === wanted && resolve(payload)));
  });
}

function genesisOf(blocks: BlockReader): Hash {
  return blocks.findHeader(0n)?.hash ?? expect.fail("no genesis");
}

function startNode(...plugins: readonly Plugin[]) {
  return createTestNode({
    plugins: [networkDevp2p, protocolEth, ...plugins],
    key: KEY,
    options: {
      p2pInterface: "127.0.0.1",
      p2pPort: 0,
      discoveryEnabled: false,
      natMethod: "NONE",
    },
  });
}

it("a peer of another implementation dials the node, and receives headers", async () => {
  await using other = await createTestNode();
  await using library = new Library(other.node.blocks);
  await using node = await startNode();
  const { blocks, network } = node.node;
  await node.mine([transfer()], [], [transfer(), transfer()]);
  const { enode } = network?.localNode ?? expect.fail("not listening");

  const greeted = library.greeted();
  await library.connect({
    id: hexToBytes(enode.id),
    address: enode.host,
    tcpPort: enode.tcpPort,
  });
  const { eth, head } = await greeted;
  expect(eth.getVersion()).toBe(68);
  expect(head).toBe(blocks.head().hash);

  const answer = nextMessage(eth, BLOCK_HEADERS);
  eth.sendMessage(GET_BLOCK_HEADERS, [7, [3, 3, 0, 1]]);

  const expected = [3n, 2n, 1n].map((number) => headerToRlp(blocks.findHeader(number) as never));
  expect(await answer).toEqual([new Uint8Array([7]), expected]);
  expect(network?.peers()).toMatchObject([{ direction: "inbound" }]);
});

it("the node dials a peer of another implementation, and imports its blocks", async () => {
  await using other = await createTestNode();
  await other.mine([transfer()], [], [transfer(), transfer()]);
  const { hash } = other.node.blocks.head();
  await using library = new Library(other.node.blocks);
  await new Promise<void>((resolve) => library.listen(0, "127.0.0.1", resolve));
  const reached = createGate();
  const watch = definePlugin({
    name: "watch",
    setup: ({ hooks }) =>
      hooks.chain.headChanged.tap(({ head }) => void (head.hash === hash && reached.open())),
  });
  await using node = await startNode(syncFull, watch);
  const { network } = node.node;

  const greeted = library.greeted();
  network?.addStaticPeer({
    id: toHex(library.id),
    host: "127.0.0.1",
    tcpPort: library.port,
    udpPort: 0,
  });
  expect(await greeted).toMatchObject({ head: genesisOf(other.node.blocks) });
  await reached.opened;

  expect(network?.peers()).toMatchObject([{ direction: "outbound" }]);
});
