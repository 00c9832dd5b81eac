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

import { RECORDED_TRAFFIC, type RecordedMessage, readRecordedMessages } from "@plinth/core/testing";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import protocolEth from "@plinth/plugin-protocol-eth";
import { codecsOf } from "@plinth/plugin-protocol-eth/api";
import syncFull from "@plinth/plugin-sync-full";
import { createTestNode, type TestNode } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { isConformanceMissing } from "../support/conformance.js";
import { PlayedNetwork, type PlayedPeer, type SentMessage } from "../support/replay-network.js";

const LIMIT_MS = 60_000;
const codecs = codecsOf(68);

describe.skipIf(isConformanceMissing)("a node fed with the messages of recorded peers", () => {
  beforeAll(loadCrypto);

  it("synchronizes as the recorded node did, and ends at the same head", async () => {
    const recorded = readRecordedMessages("qbft/3-late-sync").filter(
      ({ protocol }) => protocol === "eth",
    );
    const { node, network } = await startNode("qbft/3-late-sync/genesis.json");
    await using _node = node;
    const last = findLastBlock(node, recorded);
    const answers = collectAnswers(recorded);
    const bodies = collectBodies(node, recorded);
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

    const peers = { n1: play("n1", "0x01"), n2: play("n2", "0x02") };
    const sent = recorded.filter(({ from }) => from === "n1" || from === "n2");
    const send = ({ from, code, payload }: RecordedMessage) =>
      peers[from as "n1" | "n2"].send(code, hexToBytes(payload));
    for (const message of sent) if (message.name === "Status") send(message);
    await expect
      .poll(() => node.node.blocks.head().number > 200n, { timeout: LIMIT_MS })
      .toBe(true);
    for (const message of sent.filter(({ name }) => name === "NewBlock")) {
      const { number } = codecs.newBlock.decode(hexToBytes(message.payload)).block.header;
      send(message);
      // They were seconds apart.
      await expect.poll(() => node.node.blocks.head().number >= number, { interval: 1 }).toBe(true);
    }
    await expect.poll(() => node.node.blocks.head().hash, { timeout: LIMIT_MS }).toBe(last);

    expect(asked.size).toBeGreaterThan(3);
    expect(unrecorded).toEqual([]);
    expect([peers.n1.disconnected(), peers.n2.disconnected()]).toEqual([undefined, undefined]);
  });

  it.each([
    ["qbft/5-wrong-genesis", "genesis-network.json"],
    ["qbft/5-wrong-network-id", "genesis-network.json"],
    ["qbft/5-wrong-fork-id", "genesis-network.json"],
    ["qbft/5-wrong-genesis-no-forks", "genesis-network.json"],
  ])("refuses the status of %s as the recorded node did", async (scenario, genesis) => {
    const { node, network } = await startNode(`${scenario}/${genesis}`);
    await using _node = node;
    // The recorded node had passed the fork.
    for (const block of [
      ...readBlocks(join(RECORDED_TRAFFIC, "qbft/3-late-sync/blocks.rlp")),
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
    plugins: [protocolEth, syncFull, consensusQbft, network.plugin],
    options: { networkDriver: "played" },
    genesis,
  });
  return { node, network };
}

/** The recorded answers by what was asked, whatever its id. */
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

function collectBodies(node: TestNode, recorded: readonly RecordedMessage[]) {
  const exported = [...readBlocks(join(RECORDED_TRAFFIC, "qbft/3-late-sync/blocks.rlp"))];
  const sent = recorded
    .filter(({ name }) => name === "NewBlock")
    .map(({ payload }) => codecs.newBlock.decode(hexToBytes(payload)).block);
  const blocks = [...exported, ...sent];
  return new Map(blocks.map(({ header, body }) => [node.node.blocks.seal(header).hash, body]));
}

/** The highest block that the recorded peers sent. */
function findLastBlock(node: TestNode, recorded: readonly RecordedMessage[]): Hash {
  const headers = recorded
    .filter(({ name, from }) => name === "NewBlock" && from !== "n6")
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
