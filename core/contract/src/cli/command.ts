import type { BlockMaker } from "../chain/block-maker.js";
import type { BlockReader } from "../chain/block-reader.js";
import type { BlockWriter } from "../chain/block-writer.js";
import type { ChainJoin } from "../chain/join/chain-join.js";
import type { StoredChain } from "../chain/stored-chain.js";
import type { GenesisFinding } from "../consensus/genesis-check.js";
import type { ContributionPoint } from "../kernel/contributions.js";
import type { Driver, DriverPoint } from "../kernel/drivers.js";
import type { Logger } from "../kernel/logs/log.js";
import type { Options, OptionValues } from "../kernel/options/options.js";

/** The input and output of a command. */
export interface CommandIo {
  /** The text of a file; of standard input by default. */
  read(path?: string): Promise<string>;
  /** Writes text unchanged to a file, or with a line end to standard output. */
  write(text: string, path?: string): Promise<void>;
  /** Writes a line to standard error; the command continues. */
  warn(text: string): void;
  /** Whether output may be colored: it is a terminal, and colors are not disabled. */
  readonly hasColors?: boolean;
  /** A terminal line that is overwritten in place; `undefined` if the output is not a terminal. */
  readonly status?: StatusLine;
  /**
   * Prompts on a terminal and resolves to the typed line; `undefined` if the input is not a
   * terminal.
   */
  readonly ask?: (question: string) => Promise<string>;
  /** The same for a secret: the input is not echoed. */
  readonly askSecret?: (question: string) => Promise<string>;
}

/** One or more lines that show progress. */
export interface StatusLine {
  readonly columns: number;
  /** Replaces the current text. */
  show(text: string): void;
  /** Clears the text. */
  clear(): void;
}

/** A chain opened by a command; it neither produces blocks nor listens. */
export interface OpenChain extends AsyncDisposable {
  readonly blocks: BlockReader & BlockWriter & BlockMaker;
}

/** How a command opens a chain. */
export interface OpenChainSettings {
  /** Fills an empty database; by default it begins with block 0. */
  readonly join?: ChainJoin | undefined;
}

/** The positional arguments of a command. */
export interface CommandArguments {
  /** Its placeholder in help texts. */
  readonly placeholder: string;
  readonly summary: string;
  readonly min: number;
  readonly max: number;
}

/** The context of a command; nothing is opened unless the command requests it. */
export interface CommandContext<F extends Options> {
  readonly flags: OptionValues<F>;
  readonly args: readonly string[];
  readonly io: CommandIo;
  readonly log: Logger;
  /** The contributions of plugins to a point. */
  contributions<T>(point: ContributionPoint<T>): readonly T[];
  /** The driver selected by the options before the command. */
  driver<T extends Driver>(point: DriverPoint<T>): T;
  /** The data folder of the node that the options before the command describe. */
  readonly dataPath: string;
  /** Whether the options name that folder; otherwise it is the default. */
  readonly isDataPathSet: boolean;
  /**
   * The command line that starts this program as another process; options and a command may follow.
   */
  readonly program: readonly string[];
  /** Aborts when the operator asks the command to stop. */
  readonly signal: AbortSignal;
  /** The errors, warnings and notes about the JSON of a genesis file; `origin` names the file. */
  checkGenesis(json: unknown, origin: string): Promise<readonly GenesisFinding[]>;
  /** Opens the chain of that node; throws `ConfigError` if no loaded plugin serves it. */
  openChain(settings?: OpenChainSettings): Promise<OpenChain>;
  /** The database of that node, for work on it while the node is not running. */
  storedChain(): Promise<StoredChain>;
  /** Runs that node after the command succeeds. */
  runNode(): void;
}

/** What a command requires besides its own plugin; the plugins for it are loaded before it runs. */
export interface CommandUses {
  /** Opens or repairs the chain, or runs the node: loads the plugins of the node. */
  readonly chain?: boolean;
  /** Calls `checkGenesis`: loads every engine. */
  readonly genesis?: boolean;
  /** Points it passes to `contributions` or `driver`. */
  readonly points?: readonly ContributionPoint<unknown>[];
}

/** A sub-command. */
export interface Command<F extends Options> {
  /** Its name: `rlp encode`. */
  readonly id: string;
  readonly summary: string;
  /** Example command lines. */
  readonly examples?: readonly string[];
  readonly flags: F;
  /** None by default. */
  readonly args?: CommandArguments;
  /** Everything by default: all plugins are loaded before it runs. */
  readonly uses?: CommandUses;
  /** Returns the exit code of the program; 0 by default. */
  run(context: CommandContext<F>): Promise<number> | Promise<void>;
}

/** A command as the program handles it, with the types of its author erased. */
export type AnyCommand = Command<Options>;

/** Declares a command; its flags have the same kinds as options. */
export function command<const F extends Options>(definition: Command<F>): Command<F> {
  return definition;
}
