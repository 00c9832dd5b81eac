import { InvariantError, type Option } from "@plinth/core";
import { fromAnvil } from "./anvil-words.js";
import { findEarly } from "./early-options.js";
import type { KnownCommand } from "./known-command.js";

/** A subcommand that runs the node with a profile, and has other names for some options. */
export interface ProfileCommand {
  readonly word: string;
  readonly profile: string;
  readonly summary: string;
  /** Its own names with their options; all of them are in its help. */
  readonly names: Readonly<Record<string, string>>;
  /** Additional names that the help omits. */
  readonly otherNames: Readonly<Record<string, string>>;
  /** Translates the arguments of another program. */
  readonly translate: (words: readonly string[]) => readonly string[];
  readonly examples: readonly string[];
}

/** All profile commands. */
export const PROFILE_COMMANDS: readonly ProfileCommand[] = [
  {
    word: "dev",
    profile: "dev-tools",
    summary:
      "Runs a development chain for Hardhat, Foundry, Remix and their like: unlocked accounts, every test method, one port for HTTP and WebSocket.",
    names: {
      port: "rpc-http-port",
      host: "rpc-http-host",
      accounts: "accounts",
      balance: "balance",
      mnemonic: "mnemonic",
      "derivation-path": "derivation-path",
      "chain-id": "chain-id",
      hardfork: "hardfork",
      timestamp: "dev-timestamp",
      number: "dev-number",
      "gas-limit": "gas-limit",
      "base-fee": "dev-base-fee",
      "code-size-limit": "code-size-limit",
      "block-time": "dev-period-seconds",
      "no-mining": "no-mining",
      "auto-impersonate": "dev-auto-impersonate",
      state: "state",
      "load-state": "load-state",
      "dump-state": "dump-state",
      "data-path": "data-path",
      fresh: "fresh",
      "fork-url": "fork-url",
      abi: "abi",
      trace: "trace",
    },
    otherNames: {
      "block-base-fee-per-gas": "dev-base-fee",
      "gas-price": "min-gas-price",
      "block-gas-limit": "gas-limit",
      chain: "chain-id",
      "no-mine": "no-mining",
      "auto-unlock": "dev-auto-impersonate",
      "print-traces": "trace",
      init: "genesis-file",
      "rpc-url": "fork-url",
    },
    translate: fromAnvil,
    examples: [
      "plinth dev",
      "plinth dev --fresh -p 9545 -b 2",
      "plinth dev --accounts=20 --balance=500 --chain-id=31337",
      "plinth dev --hardfork=shanghai --trace --abi=out",
      "plinth dev --state=chain.json",
      "plinth dev --fork-url=http://127.0.0.1:8545",
    ],
  },
];

/** The profile command of a command line, with the translated arguments. */
export function findProfileCommand(
  argv: readonly string[],
): { readonly command: ProfileCommand; readonly argv: readonly string[] } | undefined {
  const { words } = findEarly(argv);
  const command = PROFILE_COMMANDS.find(({ word }) => word === argv[words.length]);
  if (command === undefined) return undefined;
  const rest = command.translate(argv.slice(words.length + 1));
  return { command, argv: [`--profile=${command.profile}`, ...words, ...rest] };
}

/** The command as listed and completed; it runs the node, without oclif. */
export function toKnownProfile(
  { word, summary, names, examples }: ProfileCommand,
  plugin: string,
  findOption: (name: string) => Option<unknown> | undefined,
): KnownCommand {
  const flags = Object.entries(names).flatMap(([name, target]) => {
    const option = findOption(target);
    return option === undefined ? [] : [[name, option] as const];
  });
  return {
    id: word,
    plugin,
    summary,
    examples,
    flags: Object.fromEntries(flags),
    load: async () => {
      throw new InvariantError(`plinth ${word} is a profile`);
    },
  };
}
