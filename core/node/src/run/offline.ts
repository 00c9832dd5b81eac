import type {
  CommandContext,
  CommandIo,
  Logger,
  OpenChain,
  Options,
  OptionValues,
} from "@plinth/core";
import { PlinthError } from "@plinth/core";
import type { AnyCommand, CommandUses, OpenChainSettings } from "@plinth/core/cli";
import { toOptionKey } from "@plinth/core/kernel";
import { storageDrivers } from "@plinth/core/storage";
import { storageName } from "../open/open-storage.js";
import { coreOptions } from "../plugin/options.js";
import type { Node } from "./node.js";

/**
 * Runs a subcommand on a registered node and returns its exit code; nothing is opened unless
 * requested.
 */
export async function runCommand(
  node: Node,
  command: AnyCommand,
  input: {
    readonly flags: OptionValues<Options>;
    readonly args: readonly string[];
    readonly io: CommandIo;
    readonly log: Logger;
    /** By default this process without its arguments. */
    readonly program?: readonly string[];
    /** Never aborts by default. */
    readonly signal?: AbortSignal;
    /** Nothing runs afterwards by default. */
    readonly runNode?: () => void;
  },
): Promise<number> {
  const { config } = node.prepared;
  const { dataPath } = config.valuesOf(coreOptions);
  const context: CommandContext<Options> = {
    program: process.argv.slice(0, 2),
    signal: new AbortController().signal,
    runNode: () => {},
    ...input,
    dataPath,
    isDataPathSet: config.isSet("dataPath"),
    checkGenesis: async (json, origin) => {
      verifyUse(command, "checkGenesis", ({ genesis }) => genesis);
      return node.checkGenesis(json, origin);
    },
    openChain: async ({ join } = {}) => {
      verifyUse(command, "openChain", ({ chain }) => chain);
      return openChain(node, { join, signal: context.signal });
    },
    storedChain: async () => {
      verifyUse(command, "storedChain", ({ chain }) => chain);
      return node.storedChain();
    },
    contributions: (point) => {
      verifyUse(command, point.id, (uses) => uses.chain || namesPoint(uses, point));
      return node.contributions(point);
    },
    driver: (point) => {
      verifyUse(command, point.id, (uses) => uses.chain || namesPoint(uses, point));
      const name = String(config.get(toOptionKey(point.option)));
      return node.driver(point, point.id === storageDrivers.id ? storageName(name) : name);
    },
  };
  await node.beforeCommand.call({ id: command.id, flags: input.flags });
  const code = await command.run(context);
  return typeof code === "number" ? code : 0;
}

/** Plugins are loaded by the declared needs of a command: undeclared ones may be missing. */
function verifyUse(
  { id, uses }: AnyCommand,
  used: string,
  isNamed: (uses: CommandUses) => boolean | undefined,
): void {
  if (uses === undefined || isNamed(uses)) return;
  throw new PlinthError("COMMAND_USE_UNDECLARED", {
    message: `the command ${id} uses ${used} without declaring it; add it to \`uses\``,
  });
}

function namesPoint({ points = [] }: CommandUses, { id }: { readonly id: string }): boolean {
  return points.some((point) => point.id === id);
}

async function openChain(
  node: Node,
  { join, signal }: OpenChainSettings & { readonly signal: AbortSignal },
): Promise<OpenChain> {
  await node.open({ isOffline: true, signal, join });
  return {
    blocks: node.blocks,
    [Symbol.asyncDispose]: () => node.stop("the command has ended"),
  };
}
