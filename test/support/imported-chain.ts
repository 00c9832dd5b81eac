import { readFileSync } from "node:fs";
import { type Block, decodeBlock } from "@plinth/core";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";
import rpcEth from "@plinth/plugin-rpc-eth";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode } from "@plinth/testing";
import { unsealedEngine } from "./unsealed-engine.js";

/** A running node with the blocks of a file, up to a number; it is reached over HTTP. */
export async function startWithChain(files: {
  readonly genesis: string;
  readonly blocks: string;
  readonly last: bigint;
}) {
  const node = await createTestNode({
    plugins: [evmEthereumJs, unsealedEngine, rpcEth, transportHttp],
    genesis: JSON.parse(readFileSync(files.genesis, "utf8")),
    options: { rpcHttpEnabled: true, rpcHttpPort: 0 },
  });
  for (const block of readBlocks(files.blocks)) {
    if (block.header.number > 0n && block.header.number <= files.last) {
      await node.node.blocks?.import(block);
    }
  }
  const address = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc")?.address;
  const url = `http://127.0.0.1:${address?.port}`;
  return { node, url, [Symbol.asyncDispose]: () => node.stop() };
}

/** Blocks stand one after another, without anything around them. */
function* readBlocks(path: string): Generator<Block> {
  const bytes = readFileSync(path);
  let position = 0;
  while (position < bytes.length) {
    const length = itemLength(bytes, position);
    yield decodeBlock(bytes.subarray(position, position + length));
    position += length;
  }
}

/** The length of a list in RLP, its prefix included. */
function itemLength(bytes: Uint8Array, position: number): number {
  const first = bytes[position] ?? 0;
  if (first <= 0xf7) return first - 0xc0 + 1;
  const size = first - 0xf7;
  const digits = Buffer.from(bytes.subarray(position + 1, position + 1 + size)).toString("hex");
  return 1 + size + Number.parseInt(digits, 16);
}
