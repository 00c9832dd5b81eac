import * as core from "@plinth/core";
import { describe, expect, it } from "vitest";
import { findMovedExport } from "./moved-export.js";

/**
 * The exports of `@plinth/core` when it was one package with one entry: values, which plugins
 * import at runtime.
 */
const STILL_THERE = words(`
  ConfigError DecodeError EMPTY_ROOT FutureBlock InvalidBlock InvalidTransaction InvariantError
  LimitExceeded PeerError PlinthError PluginTable RejectedTransaction RlpError RpcError
  StorageError Transaction Yielder ZERO_ADDRESS ZERO_HASH command createMemoryStorageDriver
  decodeRlp defineContributionPoint defineEngine definePlugin defineQuery defineService
  encodeBlock encodeRlp followed getCrypto hexToBytes keccak256 keccakHeader loadCrypto
  logDrivers messageOf method nextTurn option optionKinds optional parseHex parseJson raw stream
  systemClock t toHex toOptionName toQuantity unavailable withoutPrefix
`);
const MOVED = words(`
  AccountOverflow AnsweringThread BEACON_ROOTS BLOCK_HASHES BLOOM_BYTES Blockchain
  COMPATIBILITIES COMPATIBILITY_MODES ChainStore Configuration DISCONNECT_REASONS
  EMPTY_CODE_HASH Endpoint FORKS Fields GAS_PER_BLOB ImpossibleCall IndentedJson InvalidEnode
  ListenerBudget MAX_BUSY_MS MAX_EXTRA_BYTES MAX_NONCE MAX_UINT256
  MAX_UINT64 MetricsRegistry NO_UNCLES_HASH Node OptionSchema OverrideProblem PasswordChecker
  PluginError ReadOnlyAccount RunTooLarge RunTooLong SYNC_MODES StateWalk TABLES ValueProblem
  agreeProtocols applyOverrides applyWithdrawals baseFeeOn blobBaseFee blobFeeOf blobGasOf
  blobProofVerifiers blockFromRlp blockToRlp bloomBits bloomOfLogs bodyFromRlp bodyRootsInTurns
  bodyToRlp callGas callSystem closestTo collectRequests configureNode contractAddress
  coreOptions coreVersion createBloom createLogWriter createLogs createLogsTo createNode
  decodeBlock decodeBodyInTurns decodeChecked decodeFirst decodeHeader decodeTransaction
  describeInvalidOpcode disconnectSlowSenders effectiveGasPrice encodeBody encodeChecked
  encodeHeader encodeReceipt encodeUnsigned encodeZeroSigned engines escapeLine estimateGas
  evmDrivers extraDataCodecs findPlace findPublicKey floorGas forGas forkHashAt forkIdAt
  formatCapability formatClientVersion formatEnode formatProduced genesisChecks genesisTemplates
  hasBits hashPassword headerFromRlp headerToRlp inSequence intrinsicGas isAtLeast isEmptyBloom
  isSameEnode keccakHash keepHistory loadKeccak512 loadRunningKeccak maxBlobGas mergeIntoBloom
  namedNetworks nextExcessBlobGas nodeKeyDrivers openBlock openNetworkForm parseEnode
  problemsOfBlock readForkPoints receiptFromRlp receiptToRlp receiptsRoot
  replaceFile requestsHash resolvePlugins rlpItems rlpLength runCommand runInTurns runSteps
  scalarBytes signAuthorization signTransaction silentLogs simulateCall sleepOn storageDrivers
  suggestionHints toOptionKey toVariableName transactionFromRlp transactionGas transactionToRlp
  transactionsRoot unclesHash verifyBody verifyBodyInTurns verifyHeader verifyOutput
  verifyPlugin verifyTableName verifyTarget withdrawalsRoot writeFolder
`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const missing = (name: string) =>
  new SyntaxError(`The requested module '@plinth/core' does not provide an export named '${name}'`);

describe("a plugin that was built against the core of one entry", () => {
  it("finds what most plugins use where it was", () => {
    expect(STILL_THERE.filter((name) => !Object.hasOwn(core, name))).toEqual([]);
  });

  it.each(MOVED)("is pointed to the new entry of %s", async (name) => {
    expect(await findMovedExport(missing(name))).toMatch(
      new RegExp(`^import \\{ ${name} \\} from "@plinth/[a-z/]+" instead$`),
    );
  });

  it.each(["BlockReplay", "MAX_INIT_CODE_BYTES", "precompilesOf"])(
    "is pointed to the replacement of %s",
    async (name) => {
      expect(await findMovedExport(missing(name))).toMatch(/^use |is a type$/);
    },
  );

  it.each([
    ["manifest", 'import "@plinth/node/manifest" instead of "@plinth/core/manifest"'],
    ["testing", 'import "@plinth/testing" instead of "@plinth/core/testing"'],
    ["nothing", undefined],
  ])("is pointed to the new package of the entry %s", async (entry, hint) => {
    const error = new Error(
      `Package subpath './${entry}' is not defined by "exports" in /node_modules/@plinth/core/package.json`,
    );

    expect(await findMovedExport(error)).toBe(hint);
  });

  it.each([
    ["an unknown name", missing("definePlugins")],
    [
      "its own library",
      new SyntaxError("The requested module 'x' does not provide an export named 'y'"),
    ],
    ["anything else", new Error("boom")],
  ])("gets no hint about %s", async (_, error) => {
    expect(await findMovedExport(error)).toBeUndefined();
  });
});
