import {
  type CommandContext,
  ConfigError,
  command,
  type OpenChain,
  systemClock,
  ZERO_HASH,
} from "@plinth/core";
import { storageDrivers } from "@plinth/core/storage";
import {
  findRemoteBlock,
  isOfRemote,
  parseHeaders,
  Remote,
  RemoteInconsistent,
} from "@plinth/plugin-dev-fork/api";
import { flags } from "./flags.js";
import { follow } from "./follow.js";
import { MirrorJoin } from "./mirror-join.js";
import { readCodeOverrides } from "./rehearsal/override-code.js";
import { Rehearsal } from "./rehearsal/rehearsal.js";
import { RemoteBlocks } from "./remote/remote-blocks.js";
import { JSON_FORM } from "./report/json-form.js";
import { Report } from "./report/report.js";
import { TEXT_FORM } from "./report/text-form.js";
import { exitCodeOf } from "./report/verdict.js";

type Context = CommandContext<typeof flags>;

/** `mirror`: executes the blocks of a running network here, and compares the results. */
export const mirror = command({
  id: "mirror",
  summary:
    "Executes the blocks of a running network again, also under other rules, and reports every difference; exit code 3 if there are any, 4 if the node failed.",
  examples: [
    "plinth --genesis-file=genesis.json --data-path=mirror mirror --from=http://127.0.0.1:8545",
    "plinth --genesis-file=genesis.json --data-path=mirror --override-genesis-config=londonBlock=1 mirror --from=http://127.0.0.1:8545 --until=head --json",
  ],
  flags,
  uses: { chain: true },
  async run(context) {
    const { flags, io, signal } = context;
    const { from: url } = flags;
    if (url === undefined) {
      throw new ConfigError("OPTION_MISSING", {
        message: "Missing required option: '--from=<TEXT>'",
      });
    }
    verifyFolder(context);
    const report = new Report(io, flags.json ? JSON_FORM : TEXT_FORM, () => systemClock.now());
    const remote = new Remote({ url, headers: parseHeaders(flags.header) });
    try {
      await run(context, remote, report);
    } catch (error) {
      if (isOfRemote(error)) report.failed(error.message);
      else if (!signal.aborted || error !== signal.reason) throw error;
    }
    await report.end();
    return exitCodeOf(report.verdict);
  },
});

async function run(context: Context, remote: Remote, report: Report): Promise<void> {
  const { flags, io, log, signal } = context;
  const overrides = await readCodeOverrides(flags.overrideCode, io);
  const join = new MirrorJoin({
    remote,
    first: readBlock(flags.fromBlock, "latest"),
    limitGib: flags.cloneLimit,
    log,
    clock: systemClock,
  });
  await using chain = await context.openChain({ join });
  const { blocks } = chain;
  await verifySameNetwork(blocks, remote, signal);
  const remoteBlocks = new RemoteBlocks(remote, (header) => blocks.seal(header), signal);
  const verifiesSeals = !join.isJoined;
  const rehearsal = new Rehearsal({ blocks, remote, overrides, verifiesSeals, signal });
  const limits = {
    blocks: flags.blocks,
    until: readBlock(flags.until, "head"),
    stopsAtFirst: flags.stopAtFirst,
  };
  await follow({
    remote,
    remoteBlocks,
    blocks,
    rehearsal,
    report,
    limits,
    clock: systemClock,
    signal,
  });
}

/** The chain of a node must not be extended by accident. */
function verifyFolder(context: Context): void {
  if (context.isDataPathSet || context.driver(storageDrivers).name === "memory") return;
  throw new ConfigError("OPTION_MISSING", {
    message:
      "mirror needs a separate folder: --data-path=<PATH> before the command names one, in which a later run continues; --key-value-storage=memory keeps nothing",
    option: "data-path",
  });
}

async function verifySameNetwork(
  blocks: OpenChain["blocks"],
  remote: Remote,
  signal: AbortSignal,
): Promise<void> {
  const theirs = await findRemoteBlock(remote, 0n, signal);
  const ours = blocks.findHeader(0n)?.hash ?? ZERO_HASH;
  if (theirs?.hash === ours) return;
  throw new RemoteInconsistent(
    remote.name,
    `it is of another network: its block 0 is ${theirs?.hash ?? "missing"}, that of the genesis file ${ours}. An overridden hardfork must begin after block 0 if it changes headers`,
  );
}

function readBlock<W extends string>(text: string | undefined, word: W): bigint | W | undefined {
  return text === undefined || text === word ? (text as W | undefined) : BigInt(text);
}
