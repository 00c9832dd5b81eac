import { existsSync } from "node:fs";
import { type Logger, messageOf, type OptionValues, toOptionName } from "@plinth/core";
import { createLogsTo, createLogWriter, type LogLevel } from "@plinth/core/kernel";
import { coreOptions, Node, type PreparedNode } from "@plinth/node";
import { formatBanner } from "../banner.js";
import { describeUnusedFiles } from "../besu/data-folder.js";
import { describeWithoutEffect, joinNames, verifyBuilt } from "../besu/declare.js";
import { hasColors } from "../has-colors.js";
import { limitGarbage } from "../limit-garbage.js";
import { loadNode } from "../loading/load-program.js";
import { LogFile } from "../log-file.js";
import { nodeContext } from "../node-context.js";
import { NodeLogLines } from "../node-log-lines.js";
import { writePidFile } from "../pid-file.js";
import { writePortsFile } from "../ports-file.js";
import type { Program } from "../program.js";
import { onSignals } from "../signals.js";
import { describeUnknown, findUnknownVariables, verifyProtection } from "../unknown-variables.js";
import { verifyPorts } from "../verify-ports.js";

/** Exit code after a fault at runtime. */
const FAULT = 1;
const LONGEST_INTERVAL_MS = 2 ** 31 - 1;

/** Runs a node until it is stopped or fails; returns the exit code. */
export async function runNode(program: Program): Promise<number> {
  const { environment } = program.programContext;
  const { schema } = program.resolved;
  const unknown = findUnknownVariables(schema, environment);
  verifyProtection(unknown, environment);
  const loaded = await loadNode(program);
  const { prepared } = loaded;
  verifyBuilt(prepared.schema, prepared.config);
  verifyPorts(prepared.config);
  const { logs, lines } = createNodeLogs(prepared, environment.LOG_LEVEL);
  const log = logs.for("plinth");
  const programContext = nodeContext(loaded, logs);
  const node = await lines.during(() => Node.register(prepared, programContext));
  lines.open(node);
  warnOfIgnored(prepared, log);
  for (const line of describeWithoutEffect(prepared.schema, prepared.config)) log.warn(line);
  for (const line of describeUnusedFiles(prepared.config)) log.warn(line);
  if (unknown.length > 0) log.warn(describeUnknown(unknown, schema));

  let asked = false;
  const removeHandlers = onSignals(process, {
    stop: (signal) => {
      asked = true;
      log.info(`${signal}: stopping`);
      void node.stop(signal);
    },
    force: () => process.exit(FAULT),
  });
  const faults = watchForFaults(node);
  // A node without listeners has nothing else that keeps the process alive.
  const keepAlive = setInterval(() => {}, LONGEST_INTERVAL_MS);
  try {
    const cleanUp = await bringUp(node, log).catch(async (error: unknown) => {
      // A node stopped during its start reports no start failure.
      if (asked) return async () => {};
      // It may already be up, but its files cannot be written.
      await node.stop("failed start");
      throw error;
    });
    const { reason, error } = await node.ended;
    await cleanUp();
    if (error === undefined) log.info(`Stopped: ${reason}`);
    else log.error(`Stopped: ${reason}: ${messageOf(error)}`, { error });
    return error === undefined && !faults.seen() ? 0 : FAULT;
  } finally {
    clearInterval(keepAlive);
    removeHandlers();
    faults.stopWatching();
    await lines.close();
  }
}

/**
 * Opens and starts the node, and logs it; the returned function removes its files in the data
 * folder.
 */
async function bringUp(node: Node, log: Logger): Promise<() => Promise<void>> {
  await node.open();
  for (const line of formatBanner(node).split("\n")) log.info(line);
  await node.start();
  const { dataPath } = node.prepared.config.valuesOf(coreOptions);
  const removePorts = existsSync(dataPath)
    ? await writePortsFile(dataPath, node.rpc.endpoints(), node.network?.localNode)
    : async () => {};
  if (node.nodeKey !== undefined) log.info(`Node address ${node.nodeKey.address}`);
  const removePid = await writePidFile(node.prepared.config.get("pidPath"));
  log.info("Ethereum main loop is up.");
  limitGarbage();
  return async () => {
    await removePorts();
    await removePid();
  };
}

/** A bug must not leave half a node behind: unless it is that of a plugin alone, the node stops. */
function watchForFaults(node: Node) {
  let seen = false;
  const watch = (kind: "exception" | "rejection") => (error: unknown) => {
    if (node.survives({ error, kind })) return;
    seen = true;
    void node.stop("unexpected error");
  };
  const exception = watch("exception");
  const rejection = watch("rejection");
  process.on("uncaughtException", exception);
  process.on("unhandledRejection", rejection);
  return {
    seen: () => seen,
    stopWatching: () => {
      process.off("uncaughtException", exception);
      process.off("unhandledRejection", rejection);
    },
  };
}

function warnOfIgnored({ config, schema }: PreparedNode, log: Logger): void {
  for (const [needed, names] of config.ignored(schema)) {
    log.warn(
      `${joinNames(names)} has been ignored because --${toOptionName(needed)} was not defined on the command line.`,
    );
  }
}

function createNodeLogs({ config }: PreparedNode, fromEnvironment: string | undefined) {
  const values = config.valuesOf(coreOptions);
  const isGiven = config.isSet("logging");
  const word = isGiven ? values.logging : readWord(fromEnvironment);
  const write = createWrite(values);
  if (isGiven) write(`Setting logging level to ${values.logging}\n`);
  const isRead = process.stdout.isTTY === true && values.loggingFile === undefined;
  const isColored = values.loggingFile === undefined && hasColors(process.stdout);
  const color = config.isSet("colorEnabled") ? values.colorEnabled : isColored;
  const format = values.loggingFormat === "terminal" && !isRead ? "console" : values.loggingFormat;
  const usual = createLogWriter({ format, color, write });
  const lines = new NodeLogLines(usual, { ...values, color });
  const logs = createLogsTo(lines.writer, toLevel(word));
  if (word === "FATAL")
    logs.for("plinth").warn("the logging level FATAL is deprecated; it means ERROR");
  for (const [name, level] of values.loggingLevels) logs.setLevel(toLevel(level), name);
  return { logs, lines };
}

/** The reader of a stream is gone, or the disk is full: the node continues without it. */
function goOn(): void {}

/** The destination of log lines. */
function createWrite({
  loggingFile,
  loggingFileMaxMebibytes: mebibytes,
  loggingFileCount: kept,
}: OptionValues<typeof coreOptions>): (text: string) => void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners("error").includes(goOn)) stream.on("error", goOn);
  }
  if (loggingFile === undefined) {
    return (text) => {
      if (process.stdout.writable) process.stdout.write(text);
    };
  }
  const file = new LogFile(loggingFile, { mebibytes, kept });
  return (text) => file.write(text);
}

function readWord(text: string | undefined): string {
  const { kind, default: usual } = coreOptions.logging;
  return text === undefined || text === "" ? usual : kind.parse(text, {});
}

function toLevel(word: string): LogLevel {
  if (word === "ALL") return "trace";
  if (word === "FATAL") return "error";
  return word.toLowerCase() as LogLevel;
}
