import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import {
  type Block,
  type BlockReader,
  type Hash,
  messageOf,
  RpcError,
  type Transaction,
  toHex,
  withoutPrefix,
} from "@plinth/core";
import type { BlockReplay } from "@plinth/core/chain";
import type { EvmResult } from "@plinth/core/evm";
import { type Sink, yielding } from "@plinth/kit-trace";
import { FileTracer } from "./file-tracer.js";
import { isAfterMerge } from "./is-after-merge.js";

/** What to write for a block, and where. */
export interface FileSettings {
  /** Only this transaction; all by default. */
  readonly hash: Hash | undefined;
  readonly hasMemory: boolean;
  /** The data folder of the node. */
  readonly dataPath: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Re-executes a block and writes one file per transaction; returns their paths. */
export async function writeTraceFiles(
  blocks: BlockReader,
  { block, hash }: { readonly block: Block; readonly hash: Hash },
  settings: FileSettings,
): Promise<readonly string[]> {
  using replay = await blocks.replay(block);
  if (replay === undefined) return [];
  const folder = await makeFolder(settings.dataPath);
  const paths: string[] = [];
  for (let { transaction } = replay; transaction !== undefined; { transaction } = replay) {
    const isWanted = settings.hash === undefined || settings.hash === transaction.hash;
    if (!isWanted) {
      await replay.run();
      continue;
    }
    const path = join(folder, fileName(hash, replay.position, transaction, settings.now));
    const isMerged = isAfterMerge(blocks, replay);
    await writeFile(path, replay, { ...settings, isMerged });
    paths.push(path);
  }
  return paths;
}

async function makeFolder(dataPath: string): Promise<string> {
  const folder = join(dataPath, "traces");
  try {
    await mkdir(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw new RpcError(-32000, `the folder ${folder} is not writable: ${messageOf(error)}`);
  }
}

function fileName(block: Hash, index: number, { hash }: Transaction, now: number): string {
  return `block_${short(block)}-${index}-${short(hash)}-${now}`;
}

function short(hash: Hash): string {
  return hash.slice(0, 10);
}

async function writeFile(
  path: string,
  replay: BlockReplay,
  settings: FileSettings & { readonly isMerged: boolean },
): Promise<void> {
  const file = createWriteStream(path, { flags: "wx" });
  const written = finished(file);
  // Awaited below; without this, an earlier failure would be an unhandled rejection.
  written.catch(() => {});
  const sink: Sink = {
    write(text) {
      if (file.errored !== null) throw file.errored;
      if (file.write(text)) return undefined;
      return new Promise((resolve) => {
        file.once("drain", resolve);
        file.once("error", () => resolve());
      });
    },
  };
  try {
    const begun = performance.now();
    const tracer = new FileTracer(sink, settings);
    const result = await replay.run(yielding(tracer, settings.signal));
    await sink.write(summary(result, performance.now() - begun));
  } finally {
    file.end();
    await written;
  }
}

/** The last line of a file. */
function summary({ outcome, gasUsed, returnValue }: EvmResult, milliseconds: number): string {
  const output = outcome === "halted" ? "" : withoutPrefix(toHex(returnValue));
  const time = Math.round(milliseconds * 1e6);
  return `${JSON.stringify({ output, gasUsed: `0x${gasUsed.toString(16)}`, time })}\n`;
}
