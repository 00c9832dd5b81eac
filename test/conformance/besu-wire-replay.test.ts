import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  decodeRlp,
  encodeRlp,
  type Hash,
  hexToBytes,
  loadCrypto,
  type Rlp,
  toHex,
} from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import protocolEth from "@plinth/plugin-protocol-eth";
import { codecsOf } from "@plinth/plugin-protocol-eth/api";
import rpcClique from "@plinth/plugin-rpc-clique";
import syncFull from "@plinth/plugin-sync-full";
import {
  createTestNode,
  RECORDED_TRAFFIC,
  type RecordedMessage,
  readRecordedMessages,
  type TestNode,
} from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { PlayedNetwork, type PlayedPeer, type SentMessage } from "../support/replay-network.js";

const LIMIT_MS = 60_000;
const codecs = codecsOf(68);

/** A node that joined a running network. */
interface LateNode {
  readonly name: string;
  /** Its peers. */
  readonly names: readonly string[];
  /** What it had fetched before new blocks arrived. */
  readonly synced: bigint;
  readonly questions: number;
}

describe("a node that receives the messages of recorded peers", () => {
  beforeAll(loadCrypto);

  it.each<[string, LateNode]>([
    ["qbft/3-late-sync", { name: "n6", names: ["n1", "n2"], synced: 200n, questions: 3 }],
    ["clique/3-late-sync", { name: "n5", names: ["n1"], synced: 30n, questions: 0 }],
  ])(
    "synchronizes like the recorded node, and ends at the same head: %s",
    async (scenario, late) => {
      const recorded = readRecordedMessages(scenario).filter(({ protocol }) => protocol === "eth");
      const { node, network } = await startNode(`${scenario}/genesis.json`);
      await using _node = node;
      const last = findLastBlock(node, recorded, late.name);
      const answers = collectAnswers(recorded);
      const bodies = collectBodies(node, scenario, recorded);
      const asked = new Set<string>();
      const unrecorded: string[] = [];
      const play = (name: string, id: `0x${string}`) =>
        network.connect(id, (message, peer) => answer(name, message, peer));
      const answer = (name: string, { code, payload }: SentMessage, peer: PlayedPeer) => {
        if (code === codecs.getBlockHeaders.code) {
          const { id, body } = codecs.getBlockHeaders.decode(payload);
          const key = keyOf(payload);
          asked.add(key);
          const items = answers.get(key) ?? codecs.blockHeaders.encode({ id, body: [] });
          peer.send(codecs.blockHeaders.code, withId(items, id));
          if (!answers.has(key)) unrecorded.push(`${name}: ${JSON.stringify(body, show)}`);
        } else if (code === codecs.getBlockBodies.code) {
          const { id, body } = codecs.getBlockBodies.decode(payload);
          const found = body.flatMap((hash) => bodies.get(hash) ?? []);
          peer.send(codecs.blockBodies.code, codecs.blockBodies.encode({ id, body: found }));
        }
      };

      const peers = new Map(late.names.map((name, index) => [name, play(name, `0x0${index + 1}`)]));
      const sent = recorded.filter(({ from }) => peers.has(from));
      const send = ({ from, code, payload }: RecordedMessage) =>
        peers.get(from)?.send(code, hexToBytes(payload));
      for (const message of sent) if (message.name === "Status") send(message);
      await expect
        .poll(() => node.node.blocks.head().number > late.synced, { timeout: LIMIT_MS })
        .toBe(true);
      for (const message of sent.filter(({ name }) => name === "NewBlock")) {
        const { number } = codecs.newBlock.decode(hexToBytes(message.payload)).block.header;
        send(message);
        // They were seconds apart.
        await expect
          .poll(() => node.node.blocks.head().number >= number, { interval: 1 })
          .toBe(true);
      }
      await expect.poll(() => node.node.blocks.head().hash, { timeout: LIMIT_MS }).toBe(last);

      expect(asked.size).toBeGreaterThan(late.questions);
      expect(unrecorded).toEqual([]);
      for (const peer of peers.values()) expect(peer.disconnected()).toBeUndefined();
    },
  );

  it("accepts every block that Clique signers sent, both of a height, and counts their votes", async () => {
    const scenarios = ["1-normal", "4-signer-vote", "2-signer-killed"].map(
      (name) => `clique/${name}`,
    );
    const { node, network } = await startNode("clique/1-normal/genesis.json");
    await using _node = node;
    const { blocks } = node.node;
    const messages = scenarios
      .flatMap((scenario) => readRecordedMessages(scenario))
      .filter(({ to, protocol }) => to === "n1" && protocol === "eth");
    const peers = new Map<string, PlayedPeer>();
    const numbers = new Map<Hash, bigint>();
    for (const { from, name, code, payload } of messages) {
      if (name === "Status") {
        const peer = network.connect(`0x0${from.slice(1)}`, () => {});
        peers.set(from, peer);
        peer.send(code, hexToBytes(payload));
      }
      if (name !== "NewBlock") continue;
      const { header } = codecs.newBlock.decode(hexToBytes(payload)).block;
      const { hash, number } = blocks.seal(header);
      numbers.set(hash, number);
      peers.get(from)?.send(code, hexToBytes(payload));
      await expect.poll(() => blocks.findHeader(hash)?.number, { interval: 1 }).toBe(number);
    }

    const heights = new Set(numbers.values());
    expect(numbers.size - heights.size).toBeGreaterThan(3);
    const exported = [...readBlocks(join(RECORDED_TRAFFIC, "clique/2-signer-killed/blocks.rlp"))];
    const last = exported.at(-1)?.header;
    expect(last && blocks.findHeader(last.number)?.hash).toBe(last && blocks.seal(last).hash);
    const sizes = await Promise.all(
      ["0xa", "0x14", "0x1d"].map(
        async (number) => Object(await node.rpc("clique_getSigners", [number])).length,
      ),
    );
    expect(sizes).toEqual([3, 4, 3]);
    for (const peer of peers.values()) expect(peer.disconnected()).toBeUndefined();
  });

  it.each([
    ["qbft/5-wrong-genesis", "genesis-network.json"],
    ["qbft/5-wrong-network-id", "genesis-network.json"],
    ["qbft/5-wrong-fork-id", "genesis-network.json"],
    ["qbft/5-wrong-genesis-no-forks", "genesis-network.json"],
    ["clique/5-wrong-genesis", "genesis-network.json"],
    ["clique/5-wrong-network-id", "genesis-network.json"],
    ["clique/5-wrong-fork-id", "genesis-network.json"],
  ])("rejects the status of %s like the recorded node", async (scenario, genesis) => {
    const { node, network } = await startNode(`${scenario}/${genesis}`);
    await using _node = node;
    // The recorded node had passed the fork.
    const [engine = ""] = scenario.split("/");
    for (const block of [
      ...readBlocks(join(RECORDED_TRAFFIC, engine, "3-late-sync/blocks.rlp")),
    ].slice(1, 10)) {
      await node.node.blocks.import(block, { origin: "file" });
    }
    const status = readRecordedMessages(scenario).find(
      ({ name, from }) => name === "Status" && from !== "n1",
    );
    const peer = network.connect("0x01", () => {});

    peer.send(codecs.status.code, hexToBytes(status?.payload ?? "0x"));

    // 0x10 on the wire.
    await expect.poll(() => peer.disconnected()).toBe("subprotocol-error");
  });
});

async function startNode(genesisFile: string) {
  const network = new PlayedNetwork();
  const genesis = JSON.parse(readFileSync(join(RECORDED_TRAFFIC, genesisFile), "utf8"));
  const node = await createTestNode({
    plugins: [protocolEth, syncFull, consensusQbft, consensusClique, rpcClique, network.plugin],
    options: { networkDriver: "played" },
    genesis,
  });
  return { node, network };
}

/** The recorded responses by request, regardless of the id. */
function collectAnswers(recorded: readonly RecordedMessage[]): ReadonlyMap<string, Uint8Array> {
  const answers = new Map<string, Uint8Array>();
  for (const [index, { name, from, to, payload }] of recorded.entries()) {
    if (name !== "GetBlockHeaders") continue;
    const id = idOf(hexToBytes(payload));
    const reply = recorded
      .slice(index)
      .find(
        (each) =>
          each.name === "BlockHeaders" &&
          each.from === to &&
          each.to === from &&
          idOf(hexToBytes(each.payload)) === id,
      );
    if (reply !== undefined) answers.set(keyOf(hexToBytes(payload)), hexToBytes(reply.payload));
  }
  return answers;
}

function collectBodies(node: TestNode, scenario: string, recorded: readonly RecordedMessage[]) {
  const exported = [...readBlocks(join(RECORDED_TRAFFIC, scenario, "blocks.rlp"))];
  const sent = recorded
    .filter(({ name }) => name === "NewBlock")
    .map(({ payload }) => codecs.newBlock.decode(hexToBytes(payload)).block);
  const blocks = [...exported, ...sent];
  return new Map(blocks.map(({ header, body }) => [node.node.blocks.seal(header).hash, body]));
}

/** The highest block that the recorded peers sent. */
function findLastBlock(node: TestNode, recorded: readonly RecordedMessage[], late: string): Hash {
  const headers = recorded
    .filter(({ name, from }) => name === "NewBlock" && from !== late)
    .map(({ payload }) => codecs.newBlock.decode(hexToBytes(payload)).block.header);
  const [last] = headers.sort((a, b) => Number(b.number - a.number));
  if (last === undefined) throw new Error("nothing was recorded");
  return node.node.blocks.seal(last).hash;
}

function idOf(payload: Uint8Array): string {
  return toHex(encodeRlp(itemsOf(payload)[0] as Rlp));
}

function keyOf(payload: Uint8Array): string {
  return toHex(encodeRlp(itemsOf(payload)[1] as Rlp));
}

function withId(payload: Uint8Array, id: bigint): Uint8Array {
  const answer = codecs.blockHeaders.decode(payload);
  return codecs.blockHeaders.encode({ ...answer, id });
}

function itemsOf(payload: Uint8Array): readonly Rlp[] {
  const items = decodeRlp(payload);
  if (items instanceof Uint8Array) throw new Error("a message is no list");
  return items;
}

function show(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
