import { copyFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, logDrivers, messageOf, PlinthError } from "@plinth/core";
import { type Layer, silentLogs } from "@plinth/core/kernel";
import { storageDrivers } from "@plinth/core/storage";
import { coreOptions, Node, storageName } from "@plinth/node";
import { verifyBuilt } from "./besu/declare.js";
import { type LoadedProgram, loadNode } from "./loading/load-program.js";
import { verifyLogFile } from "./log-file.js";
import { nodeContext } from "./node-context.js";
import { OWN_DRIVER } from "./node-log-lines.js";
import { verifyPidFile } from "./pid-file.js";
import { loadProgram, type ProgramContext } from "./program.js";
import { findUnknownVariables, verifyProtection } from "./unknown-variables.js";
import { verifyDataPath } from "./verify-data-path.js";
import { verifyPorts } from "./verify-ports.js";

/** Larger files of a data folder are not configuration. */
const MAX_BYTES = 1_048_576;

/**
 * Opens a node with a command line and closes it; throws if a start would fail.
 *
 * Nothing listens, nothing is dialed or signed, and its data folder is not touched: it has an empty
 * database elsewhere.
 */
export async function tryStart(
  words: readonly string[],
  programContext: ProgramContext,
): Promise<void> {
  const program = await loadProgram(words, programContext);
  const { environment } = programContext;
  verifyProtection(findUnknownVariables(program.resolved.schema, environment), environment);
  const own = await loadNode(program);
  verifyBuilt(own.prepared.schema, own.prepared.config);
  verifyPorts(own.prepared.config);
  const { dataPath, loggingFile, ...names } = own.prepared.config.valuesOf(coreOptions);
  if (loggingFile !== undefined) verifyLogFile(loggingFile);
  verifyDataPath(dataPath);
  await verifyPidFile(own.prepared.config.get("pidPath"));
  await verifyDrivers(own, names);
  const place = await mkdtemp(join(tmpdir(), "plinth-trial-"));
  try {
    await copyFiles(dataPath, place);
    const loaded = await loadNode({ ...program, layers: [trialLayer(place), ...program.layers] });
    const node = await Node.register(loaded.prepared, nodeContext(loaded, silentLogs));
    await node.open();
    await node.verifyStart().finally(() => node.stop("trial"));
  } catch (error) {
    // The operator knows only the real data folder.
    if (error instanceof PlinthError) error.message = error.message.replaceAll(place, dataPath);
    throw error;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Throws if no plugin has a driver that the trial replaces. */
async function verifyDrivers(
  own: LoadedProgram,
  {
    loggingDriver,
    keyValueStorage,
  }: { readonly loggingDriver: string; readonly keyValueStorage: string },
): Promise<void> {
  const node = await Node.register(own.prepared, nodeContext(own, silentLogs));
  if (loggingDriver.toLowerCase() !== OWN_DRIVER) node.driver(logDrivers, loggingDriver);
  node.driver(storageDrivers, storageName(keyValueStorage));
}

function trialLayer(dataPath: string): Layer {
  const values = { "data-path": dataPath, "key-value-storage": "memory" };
  const entries = Object.entries(values).map(
    ([name, text]) => [name, { text, label: "" }] as const,
  );
  return { source: "command line", label: "trial", entries: new Map(entries) };
}

/** Keys, static nodes, allowlists: the files of a data folder besides its database. */
async function copyFiles(from: string, to: string): Promise<void> {
  try {
    for (const name of (await readdir(from).catch(undefinedIfMissing)) ?? []) {
      // A running node removes files, and links may be broken.
      const found = await stat(join(from, name)).catch(undefinedIfMissing);
      if (!found?.isFile() || found.size > MAX_BYTES) continue;
      await copyFile(join(from, name), join(to, name)).catch(undefinedIfMissing);
    }
  } catch (cause) {
    throw new ConfigError("DATA_PATH_INVALID", {
      message: `data-path: cannot read the folder ${from}: ${messageOf(cause)}; check it as the user that runs the node`,
      cause,
    });
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
