import { buildOptions, poolOptions } from "@plinth/chain";
import { option, optionKinds } from "@plinth/core";
import { LOG_FORMATS } from "@plinth/core/kernel";
import { COMPATIBILITY_MODES } from "@plinth/core/rpc";
import { SYNC_MODES } from "@plinth/core/storage";

/** Words for how much is logged; FATAL and ALL are old names that still work. */
const LOG_WORDS = ["OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL", "FATAL"] as const;

/** Existing command lines name a database that does not exist here. */
export function isRocksdb(name: string): boolean {
  return name.toLowerCase() === "rocksdb";
}

/** The options of the core itself. */
export const coreOptions = {
  dataPath: option.path({
    summary: "Folder of the node's data; made when it is missing.",
    default: "plinth-data",
  }),
  fresh: option.flag({
    summary: "Deletes the data of a development chain and starts again from its genesis block.",
    default: false,
  }),
  genesisFile: option.path({ summary: "Genesis file of the network." }),
  network: option.text({
    summary: "A network that has a name, such as dev, in place of a genesis file.",
  }),
  XunknownGenesisKeys: option.oneOf(["refuse", "ignore"], {
    summary:
      "What is done about settings of an engine in the genesis file that it does not know; ignore warns of them.",
    default: "refuse",
  }),
  networkId: option.integer({
    summary:
      "Network id that peers compare; that of a network with a name or the chain id of the genesis file when left out.",
    min: 0,
  }),
  overrideGenesisConfig: option.map({
    summary: "Other values for keys under config of the genesis file, in any letter case.",
    of: optionKinds.text(),
  }),
  reorgLoggingThreshold: option.integer({
    summary: "A reorganization that removes more blocks than this is logged as a warning.",
    default: 6,
    min: 0,
  }),
  identity: option.text({ summary: "A name that is put into the client version." }),
  keyValueStorage: option.text({
    summary: "Where data is kept: the name of a storage driver, such as leveldb or memory.",
    default: "leveldb",
    noEffect: (name) => (isRocksdb(name) ? "data is kept in leveldb" : undefined),
  }),
  syncWrites: option.oneOf(SYNC_MODES, {
    summary:
      "When commits are on the disk for good: before they are acknowledged, at most 50 ms later, or when the system writes them.",
    default: "grouped",
  }),
  securityModule: option.text({
    summary: "Where the node key comes from: the name of a key driver.",
    default: "localfile",
  }),
  networkDriver: option.text({
    summary: "How the node reaches its peers: the name of a network driver.",
    default: "devp2p",
  }),
  evm: option.text({
    summary: "What runs the code of contracts: the name of an EVM driver.",
    default: "plinth",
  }),
  rpcCallTimeoutSeconds: option.integer({
    summary: "Most seconds that a simulated call may run; 0 for no limit.",
    default: 5,
    min: 0,
    max: 3600,
  }),
  rpcTraceTimeoutSeconds: option.integer({
    summary: "Most seconds that a trace may take; 0 for no limit.",
    default: 300,
    min: 0,
    max: 86_400,
  }),
  minerEnabled: option.flag({
    summary: "Makes blocks by proof of work; engines of named validators make them anyway.",
    default: false,
  }),
  minerCoinbase: option.address({ summary: "Who is paid for the blocks that this node makes." }),
  minerExtraData: option.hex({
    summary:
      "What stands in the blocks of this node, at most 32 bytes, where the engine has no use for the place.",
    default: new Uint8Array(),
  }),
  XverifyOwnBlocks: option.flag({
    summary:
      "Verifies every block that this node made as if it came from elsewhere before it is committed.",
    default: false,
  }),
  XverifyResults: option.flag({
    summary:
      "Reads the first results of every method, and few of the others, back with its codec, for plugin authors.",
    default: false,
  }),
  ...buildOptions,
  ...poolOptions,
  rpcCompatibility: option.oneOf(COMPATIBILITY_MODES, {
    summary:
      "Whose answers callers get where Besu and the specification contradict each other; plinth takes the better of both.",
    default: "plinth",
  }),
  logging: option.oneOf(LOG_WORDS, { summary: "How much is logged.", default: "INFO" }),
  loggingLevels: option.map({
    summary: "Levels of single plugins, over that of --logging.",
    of: optionKinds.oneOf(LOG_WORDS),
  }),
  loggingFormat: option.oneOf(LOG_FORMATS, {
    summary:
      "How log lines look: Besu's columns, one JSON object per line, or short on a terminal and columns elsewhere.",
    default: "console",
  }),
  loggingDriver: option.text({
    summary:
      "What writes log lines: the name of a log driver; plinth writes those of --logging-format to the terminal.",
    default: "plinth",
  }),
  loggingFile: option.path({
    summary: "File that log lines are written to in place of standard output; it is rotated.",
  }),
  loggingFileMaxMebibytes: option.integer({
    summary: "How large --logging-file becomes before it is rotated.",
    default: 10,
    min: 1,
    max: 10_000,
  }),
  loggingFileCount: option.integer({
    summary: "How many files --logging-file is kept in: itself, FILE.1 and so on.",
    default: 5,
    min: 1,
    max: 1000,
  }),
  colorEnabled: option.flag({
    summary: "Colours in log lines; on a terminal, unless NO_COLOR is set, when left out.",
  }),
};
