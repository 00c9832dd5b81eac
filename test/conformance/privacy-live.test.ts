import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, definePlugin, type Hex } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacyPlugin from "@plinth/plugin-privacy";
import { type PrivacyNode, privacy } from "@plinth/plugin-privacy/api";
import rpcEea from "@plinth/plugin-rpc-eea";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcPriv from "@plinth/plugin-rpc-priv";
import { createTestNode, VECTORS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import {
  type RecordedExchange,
  type RecordedGroup,
  RecordedManager,
  type RecordedPayload,
} from "../support/recorded-manager.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Case {
  readonly n: number;
  readonly node: number;
  readonly block: number;
  readonly name: string;
  readonly replay?: boolean;
  readonly exchanges?: readonly number[];
  readonly sameAs?: number;
  readonly request: { readonly method: string; readonly params?: readonly unknown[] };
  readonly response?: { readonly result?: unknown; readonly error?: unknown };
}

const FOLDER = join(VECTORS, "privacy-live");
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
/** Number of compared responses, by node. */
const COMPARED: Readonly<Record<number, number>> = { 1: 334, 2: 173, 3: 92 };
const NEVER = { signal: new AbortController().signal };

/** Responses about the program itself, and namespaces that these nodes do not load. */
const OTHERS = /^(?:web3_|rpc_)/;

describe.each([1, 2, 3])("node %d of a recorded network", (number) => {
  it("computes every private state root", { timeout: 120_000 }, async () => {
    await using site = await openSite(number);
    const failures: unknown[] = [];
    let compared = 0;
    for (const block of site.blocks) {
      await site.import(block);
      const header = site.head();
      for (const { privacyGroupId, roots, memberNodes } of site.groups) {
        const group = Buffer.from(privacyGroupId, "base64");
        const root = await site.privacy().rootAt(group, header, NEVER);
        const isMember = memberNodes.includes(number);
        const expected = (isMember ? roots : roots.slice(0, 1))
          .filter(({ block: at }) => BigInt(at) <= header.number)
          .at(-1)?.root;
        compared += 1;
        if (root !== expected)
          failures.push({ block: header.number, privacyGroupId, root, expected });
      }
    }
    expect(failures).toEqual([]);
    expect(compared).toBe(60 * 15);
  });

  it("responds like the recorded one", { timeout: 120_000 }, async () => {
    await using site = await openSite(number);
    const cases: readonly Case[] = read("rpc.json").cases;
    const exchanges = new Map<number, RecordedExchange>(
      read("tessera-q2t.json").cases.map((exchange: RecordedExchange) => [exchange.id, exchange]),
    );
    const byNumber = new Map(cases.map((item) => [item.n, item]));
    const failures: unknown[] = [];
    const blocks = site.blocks[Symbol.iterator]();
    let compared = 0;
    for (const item of cases) {
      const { method, params = [] } = item.request;
      if (item.replay !== true || item.node !== number || OTHERS.test(method)) continue;
      while (site.head().number < BigInt(item.block)) {
        const next = blocks.next();
        if (next.done === true) throw new Error(`the chain ends before block ${item.block}`);
        site.manager.exchanges = [];
        await site.import(next.value);
        await site.privacy().executor.waitFor(site.head().number, undefined, NEVER);
      }
      site.manager.exchanges = (item.exchanges ?? []).flatMap((id) => exchanges.get(id) ?? []);
      const expected = (item.response ??
        byNumber.get(item.sameAs ?? 0)?.response) as Case["response"];
      const answer = await site.ask(method, params);
      compared += 1;
      const { result, error } = expected ?? {};
      try {
        expect(answer).toEqual(error === undefined ? { result } : { error });
      } catch {
        failures.push({ n: item.n, name: item.name, method, params, answer, result, error });
      }
    }
    expect(failures).toEqual([]);
    expect(compared).toBe(COMPARED[number]);
  });
});

/** A node with the manager of one of the recorded nodes, and the chain to import. */
async function openSite(number: number) {
  const folder = temporaryFolder();
  const keys = read("keys.json");
  const payloads: readonly RecordedPayload[] = read("payloads.json").cases;
  const groups: readonly RecordedGroup[] = read("roots.json").groups;
  const manager = new RecordedManager(number, payloads, groups);
  const privacyUrl = await manager.listen();
  const keyFile = folder.file("key.pub");
  const { publicKey } = keys.manager[number - 1];
  writeFileSync(keyFile, publicKey);
  let opened: PrivacyNode | undefined;
  const inside = definePlugin({
    name: "inside",
    dependencies: { privacy },
    setup(node) {
      node.onStart(({ privacy: { node: started } }) => {
        opened = started;
      });
    },
  });
  const plugins = [
    consensusClique,
    enclave,
    enclaveTessera,
    privacyPlugin,
    rpcEth,
    rpcEea,
    rpcPriv,
  ];
  const node = await createTestNode({
    plugins: [...plugins, inside],
    genesis: read("genesis.json"),
    options: {
      privacyEnabled: true,
      privacyUrl,
      privacyPublicKeyFile: keyFile,
      minGasPrice: 0n,
      rpcCompatibility: "besu",
      XverifyResults: false,
    },
    key: keys.nodes[number - 1].nodeKey as Hex,
  });
  const blocks = [...readBlocks(join(FOLDER, "chain.blocks"))].filter(
    ({ header }) => header.number > 0n,
  );
  return {
    manager,
    groups,
    blocks,
    head: () => node.node.blocks.head(),
    import: (block: Block) => node.node.blocks.import(block, { origin: "peer" }),
    privacy(): PrivacyNode {
      if (opened === undefined) throw new Error("the node does not run");
      return opened;
    },
    async ask(method: string, params: readonly unknown[]) {
      try {
        return { result: await node.rpc(method, params) };
      } catch (error) {
        const { code, message, data } = error as { code: number; message: string; data?: unknown };
        return { error: { code, message, ...(data === undefined ? {} : { data }) } };
      }
    },
    async [Symbol.asyncDispose]() {
      await node.stop();
      await manager[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
