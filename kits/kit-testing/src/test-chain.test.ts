import { command, definePlugin, option, toQuantity } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { ACCOUNTS, ALICE, BOB, CAROL, DAVE } from "./chain/accounts.js";
import { signTransaction, transfer } from "./chain/dev-chain.js";
import { createTestNode, type TestNode } from "./create-test-node.js";
import { toJson } from "./to-json.js";

const balanceOf = ({ rpc }: TestNode, address: string) =>
  rpc("eth_getBalance", [address, "latest"]);

describe("the chain of a test", () => {
  it("has the methods of eth, unless the test disables them", async () => {
    await using node = await createTestNode();
    await using bare = await createTestNode({ eth: false });

    expect(await node.rpc("eth_chainId")).toBe("0x539");
    await expect(bare.rpc("eth_chainId")).rejects.toMatchObject({ code: -32601 });
  });

  it("has several accounts with ether, each of which can send", async () => {
    await using node = await createTestNode();

    await node.mine(ACCOUNTS.map((from) => transfer({ from })));

    expect(await balanceOf(node, BOB)).toBe(toQuantity(BigInt(ACCOUNTS.length)));
    for (const { address } of ACCOUNTS) {
      expect(await node.rpc("eth_getTransactionCount", [address, "latest"])).toBe("0x1");
    }
  });

  it("accepts what a test signs for another account", async () => {
    await using node = await createTestNode();

    const signed = await signTransaction(transfer({ from: DAVE, value: 5n }));
    await node.rpc("eth_sendRawTransaction", [signed]);

    await expect.poll(() => balanceOf(node, BOB)).toBe("0x5");
  });
});

describe("a reorganization", () => {
  it("replaces the last blocks by a longer branch, in one step", async () => {
    const changes: unknown[] = [];
    const watching = definePlugin({
      name: "watching",
      setup: ({ hooks }) =>
        hooks.chain.headChanged.tap(({ added, removed }) => {
          const numbers = (blocks: typeof added) =>
            blocks.map(({ header }) => Number(header.number));
          changes.push([numbers(added), numbers(removed)]);
        }),
    });
    await using node = await createTestNode({ plugins: [watching] });
    await node.mine([], [transfer({ value: 1n })], [transfer({ value: 2n })]);
    const before = node.node.blocks.findHeader(1n)?.hash;

    const branch = await node.reorganize(2, [transfer({ from: CAROL, value: 7n })], [], []);

    expect(node.node.blocks.findHeader(1n)?.hash).toBe(before);
    expect(node.node.blocks.head()).toEqual(branch.at(-1));
    expect(node.node.blocks.head().number).toBe(4n);
    expect(await balanceOf(node, BOB)).toBe("0x7");
    expect(changes.at(-1)).toEqual([
      [2, 3, 4],
      [3, 2],
    ]);
  });

  it("has empty blocks by default", async () => {
    await using node = await createTestNode();
    await node.mine([transfer()]);

    await node.reorganize(1);

    expect(node.node.blocks.head().number).toBe(2n);
    expect(await balanceOf(node, BOB)).toBe("0x0");
  });

  it.each([
    ["as many blocks as it replaces", 1, [[]]],
    ["more blocks to replace than there are", 5, []],
    ["a transaction that no block can have", 1, [[transfer({ nonce: 9 })], []]],
  ])("is rejected with %s", async (_, depth, blocks) => {
    await using node = await createTestNode();
    await node.mine([]);

    await expect(node.reorganize(depth, ...blocks)).rejects.toThrowError(/^reorganize: /);
  });
});

describe("a restarted node", () => {
  it("has its chain and its tables", async () => {
    let table: { getSync(key: Uint8Array): Uint8Array | undefined } | undefined;
    const counting = definePlugin({
      name: "counting",
      setup(node) {
        const own = node.storage.table("blocks");
        table = own;
        node.hooks.chain.commit.tap(({ batch }) => batch.put(own, KEY, KEY));
      },
    });
    await using node = await createTestNode({ plugins: [counting] });
    const [header] = await node.mine([transfer()]);
    const { node: first } = node;

    await node.restart();

    expect(node.node).not.toBe(first);
    expect(node.node.blocks.head().hash).toBe(header?.hash);
    expect(table?.getSync(KEY)).toEqual(KEY);
    await node.mine([transfer()]);
    expect(await balanceOf(node, BOB)).toBe("0x2");
  });
});

const KEY = Uint8Array.of(1);

describe("a command", () => {
  const tools = definePlugin({
    name: "tools",
    setup: ({ cli }) => {
      cli.command(
        command({
          id: "tools head",
          summary: "Prints the number of the head.",
          flags: { prefix: option.text({ summary: "What stands before it.", default: "head" }) },
          async run({ flags, args, io, openChain }) {
            await using chain = await openChain();
            await io.write(`${flags.prefix} ${chain.blocks.head().number}`);
            io.warn("a word of warning");
            await io.write(`${await io.read()}${await io.read("in")}${args.join()}`, "out");
            return 3;
          },
        }),
      );
    },
  });

  it("runs on the chain of the node, with flags, arguments, input and files", async () => {
    await using node = await createTestNode({ plugins: [tools] });
    await node.mine([], []);

    const output = await node.command("tools head", {
      flags: { prefix: "at" },
      args: ["x", "y"],
      input: "1",
      files: { in: "2" },
    });

    const stderr = "a word of warning\n";
    expect(output).toEqual({ code: 3, stdout: "at 2\n", stderr, files: { out: "12x,y" } });
  });

  it("that is unknown, or has other flags, is an error that names it", async () => {
    await using node = await createTestNode({ plugins: [tools] });

    await expect(node.command("tools tail")).rejects.toThrowError(/"tools tail".*"tools head"/);
    await expect(node.command("tools head", { flags: { sufix: 1 } })).rejects.toMatchObject({
      code: "OPTION_UNKNOWN",
    });
  });
});

describe("a value of the node", () => {
  it("is encoded like the result of a method", async () => {
    await using node = await createTestNode();
    const [header] = await node.mine([transfer({ from: ALICE })]);
    const { number, hash, gasUsed } = toJson(header) as Record<string, unknown>;

    const block = await node.rpc("eth_getBlockByNumber", ["latest", false]);

    expect(block).toMatchObject({ number, hash, gasUsed });
    expect(JSON.stringify(toJson([1n, Uint8Array.of(1), new Map([["a", new Set([2n])]])]))).toBe(
      '["0x1","0x01",{"a":["0x2"]}]',
    );
  });
});
