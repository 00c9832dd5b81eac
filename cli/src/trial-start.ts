import { copyFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logDrivers } from "@plinth/core";
import { type Layer, silentLogs } from "@plinth/core/kernel";
import { coreOptions, Node } from "@plinth/node";
import { verifyBuilt } from "./besu/declare.js";
import { loadNode } from "./loading/load-program.js";
import { verifyLogFile } from "./log-file.js";
import { OWN_DRIVER } from "./node-log-lines.js";
import { nodeSurroundings } from "./node-surroundings.js";
import { loadProgram, type Surroundings } from "./program.js";
import { findUnknownVariables, verifyProtection } from "./unknown-variables.js";
import { verifyPorts } from "./verify-ports.js";

/** Larger files of a data folder are no configuration. */
const MAX_BYTES = 1_048_576;

/**
 * Opens a node with some words and closes it; throws what a start would be refused for.
 *
 * Nothing listens, nothing is dialled or signed, and its data folder is not touched: it has an empty database in another.
 */
export async function tryStart(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const program = await loadProgram(words, surroundings);
  const { environment } = surroundings;
  verifyProtection(findUnknownVariables(program.resolved.schema, environment), environment);
  const place = await mkdtemp(join(tmpdir(), "plinth-trial-"));
  try {
    const own = await loadNode(program);
    verifyBuilt(own.prepared.schema, own.prepared.config);
    verifyPorts(own.prepared.config);
    const { dataPath, loggingDriver, loggingFile } = own.prepared.config.valuesOf(coreOptions);
    if (loggingFile !== undefined) verifyLogFile(loggingFile);
    await copyFiles(dataPath, place);
    const loaded = await loadNode({ ...program, layers: [trialLayer(place), ...program.layers] });
    const node = await Node.register(loaded.prepared, nodeSurroundings(loaded, silentLogs));
    if (loggingDriver.toLowerCase() !== OWN_DRIVER) node.driver(logDrivers, loggingDriver);
    await node.open();
    await node.verifyStart().finally(() => node.stop("trial"));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function trialLayer(dataPath: string): Layer {
  const values = { "data-path": dataPath, "key-value-storage": "memory" };
  const entries = Object.entries(values).map(
    ([name, text]) => [name, { text, label: "" }] as const,
  );
  return { source: "command line", label: "trial", entries: new Map(entries) };
}

/** Keys, static nodes, allowlists: what a data folder has beside its database. */
async function copyFiles(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(noneIfMissing);
  for (const name of names) {
    const found = await stat(join(from, name));
    if (found.isFile() && found.size <= MAX_BYTES) await copyFile(join(from, name), join(to, name));
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
