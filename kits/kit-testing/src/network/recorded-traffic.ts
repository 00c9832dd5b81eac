import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Address, Block, Hex } from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import { rlpLength } from "@plinth/core/primitives";
import { RECORDED_TRAFFIC } from "../conformance.js";

/** One message between two recorded nodes. */
export interface RecordedMessage {
  /** When it was sent and received, in milliseconds since 1970; the receiver may have been gone. */
  readonly t_ms: number;
  readonly r_ms: number | null;
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly version: number;
  readonly name: string;
  readonly code: number;
  readonly payload: Hex;
}

/** A recorded node; its key is made for tests. */
export interface RecordedNode {
  readonly name: string;
  readonly privateKey: Hex;
  readonly address: Address;
}

/** The scenarios of an engine that have messages, such as `qbft/1-normal`. */
export function recordedScenarios(engine: string): readonly string[] {
  return readdirSync(join(RECORDED_TRAFFIC, engine))
    .map((name) => `${engine}/${name}`)
    .filter((scenario) => existsSync(pathOf(scenario, "messages.jsonl")));
}

/**
 * The messages of a scenario in the order in which they were sent; `suppressed.jsonl` has those
 * that were not.
 */
export function readRecordedMessages(
  scenario: string,
  file = "messages.jsonl",
): readonly RecordedMessage[] {
  const path = pathOf(scenario, file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as RecordedMessage]));
}

/** The nodes of all scenarios of an engine: a scenario lists only nodes relevant to it. */
export function readRecordedNodes(engine: string): readonly RecordedNode[] {
  const nodes = new Map<Address, RecordedNode>();
  for (const scenario of recordedScenarios(engine)) {
    const path = pathOf(scenario, "keys.json");
    if (!existsSync(path)) continue;
    const file: { nodes: Record<string, Omit<RecordedNode, "name">> } = JSON.parse(
      readFileSync(path, "utf8"),
    );
    for (const [name, { privateKey, address }] of Object.entries(file.nodes)) {
      nodes.set(address, { name, privateKey, address });
    }
  }
  return [...nodes.values()];
}

/** The chain of a scenario; some have only genesis, or none. */
export function readRecordedChain(scenario: string): readonly Block[] {
  const path = pathOf(scenario, "blocks.rlp");
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const blocks: Block[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = rlpLength(bytes.subarray(at));
    blocks.push(decodeBlock(bytes.subarray(at, at + length)));
    at += length;
  }
  return blocks;
}

/** A file of a scenario. */
export function pathOf(scenario: string, file: string): string {
  return join(RECORDED_TRAFFIC, scenario, file);
}
