import { buildOptions, poolOptions, STATE_FORMATS } from "@plinth/chain";
import { option, optionKinds } from "@plinth/core";
import { LOG_FORMATS } from "@plinth/core/kernel";
import { COMPATIBILITY_MODES } from "@plinth/core/rpc";
import { SYNC_MODES } from "@plinth/core/storage";
import { pruningOptions } from "./pruning-options.js";

/** Log levels; FATAL and ALL are old names that still work. */
const LOG_WORDS = ["OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL", "FATAL"] as const;

/** Existing command lines name a database that does not exist here. */
export function isRocksdb(name: string): boolean {
  return name.toLowerCase() === "rocksdb";
}

/** The options of the core itself. */
export const coreOptions = {
  dataPath: option.path({
    summary: "Folder of the node's data; created if it is missing.",
    default: "plinth-data",
  }),
  fresh: option.flag({
    summary: "Deletes the data of a development chain and starts again from its genesis block.",
    default: false,
  }),
  genesisFile: option.path({ summary: "Genesis file of the network." }),
  network: option.text({
    summary: "A named network, such as dev, instead of a genesis file.",
  }),
  XunknownGenesisKeys: option.oneOf(["refuse", "ignore"], {
    summary:
      "How unknown settings of an engine in the genesis file are handled; ignore logs a warning.",
    default: "refuse",
  }),
  networkId: option.integer({
    summary:
      "Network id that peers compare; by default that of a named network or the chain id of the genesis file.",
    min: 0,
  }),
  overrideGenesisConfig: option.map({
    summary: "Overrides for keys under config of the genesis file, in any case.",
    of: optionKinds.text(),
  }),
  reorgLoggingThreshold: option.integer({
    summary: "A reorganization that removes more blocks than this is logged as a warning.",
    default: 6,
    min: 0,
  }),
  identity: option.text({ summary: "A name to include in the client version." }),
  keyValueStorage: option.text({
    summary: "Storage driver for the node's data, such as leveldb or memory.",
    default: "leveldb",
    noEffect: (name) => (isRocksdb(name) ? "data is stored in leveldb" : undefined),
  }),
  syncWrites: option.oneOf(SYNC_MODES, {
    summary:
      "When commits are durable: before they are acknowledged, at most 50 ms later, or when the operating system writes them.",
    default: "grouped",
  }),
  dataStorageFormat: option.oneOf(STATE_FORMATS, {
    summary:
      "How states are stored: BONSAI, flat with the history of values, which is the default of a new database, or FOREST, all tries. BONSAI converts a database with FOREST.",
  }),
  ...pruningOptions,
  securityModule: option.text({
    summary: "Driver of the node key.",
    default: "localfile",
  }),
  networkDriver: option.text({
    summary: "Network driver that connects the node to its peers.",
    default: "devp2p",
  }),
  evm: option.text({
    summary: "EVM driver that executes the code of contracts.",
    default: "plinth",
  }),
  rpcCallTimeoutSeconds: option.integer({
    summary: "Maximum seconds of a simulated call; 0 for no limit.",
    default: 5,
    min: 0,
    max: 3600,
  }),
  rpcTraceTimeoutSeconds: option.integer({
    summary: "Maximum seconds of a trace; 0 for no limit.",
    default: 300,
    min: 0,
    max: 86_400,
  }),
  minerEnabled: option.flag({
    summary: "Produces blocks by proof of work; engines with validators produce them anyway.",
    default: false,
  }),
  minerCoinbase: option.address({
    summary: "Fee recipient of the blocks that this node produces.",
  }),
  minerExtraData: option.hex({
    summary:
      "Extra data of the blocks of this node, at most 32 bytes, if the engine does not use the field.",
    default: new Uint8Array(),
  }),
  XverifyOwnBlocks: option.flag({
    summary:
      "Verifies every block that this node produced like a received one before it is committed.",
    default: false,
  }),
  XverifyResults: option.flag({
    summary:
      "Decodes the first results of every method, and a sample of the others, with its codec, for plugin authors.",
    default: false,
  }),
  ...buildOptions,
  ...poolOptions,
  rpcCompatibility: option.oneOf(COMPATIBILITY_MODES, {
    summary:
      "Which behavior callers get where Besu and the specification contradict each other; plinth uses the better of both.",
    default: "plinth",
  }),
  logging: option.oneOf(LOG_WORDS, { summary: "Log level.", default: "INFO" }),
  loggingLevels: option.map({
    summary: "Log levels of single plugins, which override --logging.",
    of: optionKinds.oneOf(LOG_WORDS),
  }),
  loggingFormat: option.oneOf(LOG_FORMATS, {
    summary:
      "Format of log lines: Besu's columns, one JSON object per line, or short on a terminal and columns elsewhere.",
    default: "console",
  }),
  loggingDriver: option.text({
    summary: "Log driver; plinth writes lines in --logging-format to the terminal.",
    default: "plinth",
  }),
  loggingFile: option.path({
    summary: "File for log lines instead of standard output; it is rotated.",
  }),
  loggingFileMaxMebibytes: option.integer({
    summary: "Maximum size of --logging-file before it is rotated.",
    default: 10,
    min: 1,
    max: 10_000,
  }),
  loggingFileCount: option.integer({
    summary: "Number of files of --logging-file: itself, FILE.1 and so on.",
    default: 5,
    min: 1,
    max: 1000,
  }),
  colorEnabled: option.flag({
    summary: "Colors in log lines; by default on a terminal, unless NO_COLOR is set.",
  }),
};
