import { option } from "@plinth/core";
import type { OptionGroup } from "./option-group.js";

const flag = (summary: string, usual = false) => option.flag({ summary, default: usual });
const integer = (summary: string) => option.integer({ summary });

/**
 * Options of Besu without effect here: they are accepted, and one warning per group contains the
 * reason.
 */
export const WITHOUT_EFFECT: readonly OptionGroup[] = [
  {
    reason: "old states and blocks are removed with every new block, a few at a time",
    options: {
      bonsaiTrieLogsPruningWindowSize: option.integer({
        summary: "States removed at a time.",
        aliases: ["XbonsaiTrieLogsPruningWindowSize"],
      }),
      XchainPruningFrequency: integer("Blocks between two removals."),
    },
  },
  {
    reason: "--data-storage-format determines how states are stored",
    options: {
      XbonsaiFullFlatDbEnabled: flag("Stores states by address.", true),
      XbonsaiCodeUsingCodeHashEnabled: flag("Stores code by its hash.", true),
    },
  },
  {
    reason: "transactions of a block run one after another",
    options: {
      XbonsaiParallelTxProcessingEnabled: option.flag({
        summary: "Runs transactions of a block in parallel.",
        aliases: ["bonsaiParallelTxProcessingEnabled"],
      }),
    },
  },
  {
    reason: "the genesis block is verified at every start",
    options: { genesisStateHashCacheEnabled: flag("Trusts the stored genesis state.") },
  },
  {
    reason: "a database of a newer format is always rejected",
    options: { versionCompatibilityProtection: flag("Rejects data of newer versions.", true) },
  },
  {
    reason: "receipts have one format on disk",
    options: { receiptCompactionEnabled: flag("Stores receipts without blooms.", true) },
  },
  {
    reason: "recently read blocks are cached, by size",
    options: {
      cacheLastBlocks: integer("Blocks held in memory."),
      cacheLastBlockHeaders: integer("Headers held in memory."),
    },
  },
  {
    reason: "the database is LevelDB; see --leveldb-max-open-files",
    options: {
      XpluginRocksdbMaxOpenFiles: integer("Open files."),
      XpluginRocksdbCacheCapacity: integer("Bytes of the cache."),
      XpluginRocksdbBackgroundThreadCount: integer("Threads."),
      XpluginRocksdbHighSpecEnabled: flag("Uses more memory."),
      XpluginRocksdbReadCacheSnapshotsEnabled: flag("Caches reads of snapshots."),
      XpluginRocksdbBlockchainBlobGarbageCollectionEnabled: flag("Collects old blobs."),
      XpluginRocksdbBlobGarbageCollectionAgeCutoff: option.decimal({ summary: "Age of blobs." }),
      XpluginRocksdbBlobGarbageCollectionForceThreshold: option.decimal({
        summary: "Share of old blobs.",
      }),
    },
  },
  {
    reason: "synchronization has no such setting here",
    options: {
      XsynchronizerBlockPropagationRange: option.text({ summary: "Distance of accepted blocks." }),
      XsynchronizerDownloaderHeaderRequestSize: integer("Headers per request."),
      XsynchronizerDownloaderChainSegmentSize: integer("Blocks per segment."),
      XsynchronizerDownloaderParallelism: integer("Requests at a time."),
      XsynchronizerTransactionsParallelism: integer("Threads for transactions."),
      XsynchronizerComputationParallelism: integer("Threads for computations."),
      XsynchronizerDownloaderChangeTargetThresholdByHeight: integer("Blocks."),
      XsynchronizerDownloaderChangeTargetThresholdByTd: option.text({ summary: "Difficulty." }),
      XsynchronizerDownloaderCheckpointTimeoutsPermitted: option.integer({
        summary: "Attempts.",
        aliases: ["Xsynchronizer-downloader-checkpoint-RETRIES"],
      }),
      XsynchronizerFastSyncPivotDistance: integer("Blocks."),
      XsynchronizerFastSyncFullValidationRate: option.fraction({ summary: "Share of blocks." }),
      XsynchronizerWorldStateHashCountPerRequest: integer("Hashes."),
      XsynchronizerWorldStateMaxRequestsWithoutProgress: integer("Requests."),
      XsynchronizerWorldStateMinMillisBeforeStalling: integer("Milliseconds."),
      XsynchronizerWorldStateRequestParallelism: integer("Requests at a time."),
      XsynchronizerWorldStateTaskCacheSize: integer("Tasks."),
      XsnapsyncBftEnabled: flag("Allows snap synchronization with BFT engines."),
      XsnapsyncSynchronizerPivotBlockWindowValidity: integer("Blocks."),
      XsnapsyncSynchronizerPivotBlockDistanceBeforeCaching: integer("Blocks."),
      XsnapsyncSynchronizerStorageCountPerRequest: integer("Slots."),
      XsnapsyncSynchronizerBytecodeCountPerRequest: integer("Codes."),
      XsnapsyncSynchronizerTrienodeCountPerRequest: integer("Nodes."),
      XsnapsyncSynchronizerFlatAccountHealedCountPerRequest: integer("Accounts."),
      XsnapsyncSynchronizerFlatSlotHealedCountPerRequest: integer("Slots."),
      XsnapsyncSynchronizerFlatDbHealingEnabled: flag("Heals state."),
      XcheckpointPostMergeEnabled: flag("Starts at a block after the merge."),
      XpeertaskSystemEnabled: flag("Uses another way to query peers."),
    },
  },
  {
    reason: "peers with another fork id are disconnected in the handshake",
    options: { filterOnEnrForkId: flag("Excludes peers by their record.", false) },
  },
  {
    reason:
      "peers are dialed while there are free slots, and static ones again after 1 to 60 seconds",
    options: {
      Xp2pInitiateConnectionsFrequency: integer("Seconds."),
      Xp2pCheckMaintainedConnectionsFrequency: integer("Seconds."),
    },
  },
  {
    reason: "transactions are announced within 25 ms, and messages of peers do not queue for long",
    options: {
      Xeth65TxAnnouncedBufferingPeriodMilliseconds: integer("Milliseconds."),
      XincomingTxMessagesKeepAliveSeconds: integer("Seconds."),
    },
  },
  {
    reason: "messages have the limits of Besu, and state is not served by hash",
    options: {
      XethMaxMessageSize: integer("Bytes."),
      XewpMaxGetNodeData: integer("Nodes per response."),
    },
  },
  {
    reason: "calls end with --rpc-call-timeout-seconds, traces with --rpc-trace-timeout-seconds",
    options: { XwsTimeoutSeconds: integer("Seconds.") },
  },
  {
    reason: "metrics are always measured",
    options: {
      XmetricsTimersEnabled: flag("Measures times.", true),
      XmetricsIdleTimeout: integer("Seconds."),
    },
  },
  {
    reason: "work for miners has fixed limits",
    options: {
      XminerRemoteSealersLimit: integer("Sealers."),
      XminerRemoteSealersHashrateTtl: integer("Seconds."),
      XminerPowJobTtl: integer("Milliseconds."),
      XmaxOmmersDepth: integer("Blocks."),
    },
  },
  {
    reason: "blocks for a consensus client are not built",
    options: {
      XposBlockCreationMaxTime: integer("Milliseconds."),
      XposBlockCreationRepetitionMinDuration: integer("Milliseconds."),
      maxBlobsPerBlock: integer("Blobs."),
    },
  },
  {
    reason: "the fastest installed code is used",
    options: {
      XsecpNativeEnabled: option.flag({
        summary: "Uses native code for signatures.",
        default: true,
        aliases: ["Xsecp256k1NativeEnabled"],
      }),
      Xaltbn128NativeEnabled: flag("Uses native code for alt_bn128.", true),
      Xblake2bfNativeEnabled: flag("Uses native code for BLAKE2.", true),
      XmodexpNativeEnabled: flag("Uses native code for modular exponentiation.", true),
      XevmJumpdestCacheWeightKb: integer("KiB."),
      XevmWorldstateUpdateMode: option.text({ summary: "How changes are stored." }),
    },
  },
  {
    reason: "plugins of Besu do not run here",
    options: {
      XpluginsExternalEnabled: flag("Loads plugins of Besu.", false),
      pluginContinueOnError: flag("Starts when a plugin fails."),
    },
  },
  {
    reason: "nothing is reported to ethstats servers; see --metrics-enabled",
    options: {
      ethstats: option.text({ summary: "Ethstats server and its secret." }),
      ethstatsContact: option.text({ summary: "Contact shown there." }),
      ethstatsCacertFile: option.path({ summary: "Certificate of its authority." }),
    },
  },
  {
    reason: "peers are not found over DNS; see --bootnodes",
    options: { discoveryDnsUrl: option.text({ summary: "An enrtree URL with nodes." }) },
  },
  {
    reason: "peers are found with discovery v4",
    options: { Xv5DiscoveryEnabled: option.flag({ summary: "Finds peers with discovery v5." }) },
  },
  {
    reason: "peers are reached over one address; see --p2p-host and --p2p-interface",
    options: {
      p2pHostIpv6: option.host({ summary: "Advertised IPv6 address." }),
      p2pInterfaceIpv6: option.host({ summary: "IPv6 address to listen on." }),
      p2pPortIpv6: option.port({ summary: "Port for peers over IPv6." }),
    },
  },
  {
    reason: "only the fork ids of EIP-2124 are supported",
    options: {
      compatibilityEth64ForkidEnabled: option.flag({ summary: "Uses the old fork id." }),
    },
  },
  {
    reason: "--blocks-retained limits the blocks that are kept, and has a minimum",
    options: {
      XchainPruningBlocksRetainedLimit: integer("Minimum that may stay."),
      historyExpiryPrune: option.flag({ summary: "Removes blocks before the merge." }),
    },
  },
];
