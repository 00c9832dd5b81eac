import { cpSync } from "node:fs";
import { encodeBlock, type KeyValueStore, messageOf } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, type Node, runCommand } from "@plinth/node";
import cmdDb from "@plinth/plugin-cmd-db";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, DEV_GENESIS, devChain, type TestNode, transfer } from "@plinth/testing";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";

/** Code of a contract that writes a storage slot, so that states have more than accounts. */
const CREATION = { data: "602a60005560fe60005360016000f3", gasLimit: 200_000n };

/** Starts a development node in this process with its data in LevelDB. */
export function startOn(
  dataPath: string,
  options: object = {},
  genesis: object = DEV_GENESIS,
): Promise<TestNode> {
  return createTestNode({
    plugins: [storageLevel],
    options: { keyValueStorage: "leveldb", dataPath, ...options },
    genesis,
  });
}

/** Produces blocks in several sessions, so that the database has tables as well as a log. */
export async function createChain(
  dataPath: string,
  sessions: readonly number[],
  genesis: object = DEV_GENESIS,
): Promise<void> {
  for (const count of sessions) {
    await using node = await startOn(dataPath, {}, genesis);
    for (let made = 0; made < count; made++) {
      await node.mine([transfer({ value: BigInt(made + 1) }), CREATION, transfer()]);
    }
  }
}

/** A copy of a data folder. */
export function copyOf(dataPath: string): TemporaryFolder {
  const copy = temporaryFolder();
  cpSync(dataPath, copy.path, { recursive: true });
  return copy;
}

/** A node's responses about its whole chain, as text. */
export interface Readings {
  readonly head: bigint;
  /** Block, receipts and positions of transactions, by number. */
  readonly blocks: readonly string[];
  readonly state: string;
}

/** Reads everything from a node's chain; throws read errors. */
export function readAnswers(node: Node): Readings {
  const { blocks } = node;
  const head = blocks.head();
  const texts = Array.from({ length: Number(head.number) + 1 }, (_, number) => {
    const hash = blocks.findHeader(BigInt(number))?.hash ?? "0x";
    const block = blocks.findBlock(hash);
    const transactions = block?.body.transactions ?? [];
    const places = transactions.map((transaction) => blocks.findTransaction(transaction.hash));
    const encoded = block && Buffer.from(encodeBlock(block)).toString("hex");
    return toText([hash, encoded, blocks.findReceipts(hash), places]);
  });
  return { head: head.number, blocks: texts, state: toText(readState(node)) };
}

/** Every account of the head with its slots, by their hashes. */
function readState({ blocks }: Node): readonly unknown[] {
  const zero = `0x${"00".repeat(32)}` as const;
  return blocks === undefined ? [] : [...blocks.accountsFrom(blocks.head(), zero)];
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}` : part));
}

/** Makes a missing block the head. */
export async function overwriteHead(folder: string): Promise<void> {
  const store = await openDatabase(folder);
  const batch = store.batch();
  batch.put("chain", Buffer.from("head"), new Uint8Array(32).fill(1));
  await batch.commit();
  await store.close();
}

/** Removes the first entry of a table. */
export async function removeEntry(folder: string, table: string): Promise<void> {
  const store = await openDatabase(folder);
  for await (const [key] of store.table(table).iterate({ limit: 1 })) {
    const batch = store.batch();
    batch.delete(table, key);
    await batch.commit();
  }
  await store.close();
}

/** Opens the database of a node that is not running. */
export async function openDatabase(folder: string): Promise<KeyValueStore> {
  const stored = await (await prepareNode(folder)).storedChain();
  return stored.create(folder);
}

function prepareNode(dataPath: string, genesis: object = DEV_GENESIS): Promise<Node> {
  return createNode({
    plugins: [storageLevel, cmdDb, ...devChain],
    options: { keyValueStorage: "leveldb", dataPath },
    genesis,
  });
}

/** How a command ended. */
export interface CommandEnd {
  readonly output: string;
  readonly error?: unknown;
}

/** Runs a command of `db` in this process, on a data folder. */
export async function runDb(
  dataPath: string,
  id: "verify" | "repair" | "backup" | "restore",
  {
    args = [],
    flags = {},
    genesis,
    failsToWrite = false,
  }: {
    readonly args?: readonly string[];
    readonly flags?: object;
    readonly genesis?: object;
    /** As if the reader of a pipe had gone. */
    readonly failsToWrite?: boolean;
  } = {},
): Promise<CommandEnd> {
  const node = await prepareNode(dataPath, genesis);
  const command = node.commands().find(({ item }) => item.id === `db ${id}`)?.item as AnyCommand;
  let output = "";
  const write = async (text: string) => {
    if (failsToWrite) throw new Error("EPIPE");
    output += `${text}\n`;
  };
  const io = { read: async () => "", warn() {}, write };
  try {
    await runCommand(node, command, { flags: { ...flags }, args, io, log: silentLogs.for("test") });
    return { output };
  } catch (error) {
    return { output: `${output}${messageOf(error)}`, error };
  }
}

/** Imports the chain of a node into another one, which verifies and executes every block. */
export async function acceptElsewhere(node: Node): Promise<void> {
  await using other = await createTestNode();
  const { blocks } = node;
  const last = blocks.head().number;
  for (let number = 1n; number <= last; number++) {
    const block = blocks.findBlock(blocks.findHeader(number)?.hash ?? "0x");
    if (block === undefined) throw new Error(`block ${number} is missing`);
    await other.node.blocks.import(block, { origin: "peer" });
  }
  if (other.node.blocks.head().hash !== blocks.head().hash) throw new Error("heads differ");
}
