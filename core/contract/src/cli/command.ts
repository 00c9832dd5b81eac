import type { BlockMaker } from "../chain/block-maker.js";
import type { BlockReader } from "../chain/block-reader.js";
import type { BlockWriter } from "../chain/block-writer.js";
import type { StoredChain } from "../chain/stored-chain.js";
import type { GenesisFinding } from "../consensus/genesis-check.js";
import type { ContributionPoint } from "../kernel/contributions.js";
import type { Driver, DriverPoint } from "../kernel/drivers.js";
import type { Logger } from "../kernel/logs/log.js";
import type { Options, OptionValues } from "../kernel/options/options.js";

/** Where a command reads and writes. */
export interface CommandIo {
  /** The text of a file, or of standard input when left out. */
  read(path?: string): Promise<string>;
  /** Writes to a file as it stands, or to standard output with a line end. */
  write(text: string, path?: string): Promise<void>;
  /** Writes a line to standard error: the command goes on. */
  warn(text: string): void;
  /** Whether what is written may be coloured: a terminal shows it, and its user wants colours. */
  readonly hasColors?: boolean;
  /** A line of a terminal that is written over and over; `undefined` where the output is not a terminal. */
  readonly status?: StatusLine;
  /** Asks a question on a terminal and answers the line that was typed; `undefined` where the input is not a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** The same for a secret: what is typed is not shown. */
  readonly askSecret?: (question: string) => Promise<string>;
}

/** A line, or several, that show how far work has come. */
export interface StatusLine {
  readonly columns: number;
  /** Puts another text in the place of the last one. */
  show(text: string): void;
  /** Takes it away. */
  clear(): void;
}

/** A chain that a command has opened; nothing is made or listened to. */
export interface OpenChain extends AsyncDisposable {
  readonly blocks: BlockReader & BlockWriter & BlockMaker;
}

/** The words a command takes beside its flags. */
export interface CommandArguments {
  /** What stands for one of them in help texts. */
  readonly placeholder: string;
  readonly summary: string;
  readonly min: number;
  readonly max: number;
}

/** What a command works with; nothing is opened but what it asks for. */
export interface CommandContext<F extends Options> {
  readonly flags: OptionValues<F>;
  readonly args: readonly string[];
  readonly io: CommandIo;
  readonly log: Logger;
  /** What plugins contributed to a point. */
  contributions<T>(point: ContributionPoint<T>): readonly T[];
  /** The driver that the options before the command choose. */
  driver<T extends Driver>(point: DriverPoint<T>): T;
  /** The folder of the node that the options before the command describe. */
  readonly dataPath: string;
  /** Whether they name that folder; it is the default otherwise. */
  readonly isDataPathSet: boolean;
  /** The words that start this program as another process; options and a command may follow. */
  readonly program: readonly string[];
  /** Aborts when the operator asks the command to stop. */
  readonly signal: AbortSignal;
  /** What is wrong with the JSON of a genesis file, and what is good to know about it; `origin` names the file. */
  checkGenesis(json: unknown, origin: string): Promise<readonly GenesisFinding[]>;
  /** Opens the chain of that node; throws `ConfigError` when no loaded plugin serves it. */
  openChain(): Promise<OpenChain>;
  /** The database of that node, for work on it while it is not open. */
  storedChain(): Promise<StoredChain>;
  /** Runs that node once the command has ended well. */
  runNode(): void;
}

/** What a command works with beside its own plugin; the plugins for it are loaded before it runs. */
export interface CommandUses {
  /** Opens or repairs the chain, or runs the node: the plugins of the node are loaded. */
  readonly chain?: boolean;
  /** Calls `checkGenesis`: every engine is loaded. */
  readonly genesis?: boolean;
  /** Points that it asks `contributions` or `driver` for. */
  readonly points?: readonly ContributionPoint<unknown>[];
}

/** A sub-command. */
export interface Command<F extends Options> {
  /** Its words: `rlp encode`. */
  readonly id: string;
  readonly summary: string;
  /** Command lines that show its use, as they are typed. */
  readonly examples?: readonly string[];
  readonly flags: F;
  /** None when left out. */
  readonly args?: CommandArguments;
  /** Everything when left out: all plugins are loaded before it runs. */
  readonly uses?: CommandUses;
  /** Answers the exit code of the program; 0 when it answers nothing. */
  run(context: CommandContext<F>): Promise<number> | Promise<void>;
}

/** A command as the program handles it: the types that its author used are gone. */
export type AnyCommand = Command<Options>;

/** Declares a command; its flags have the same kinds as options. */
export function command<const F extends Options>(definition: Command<F>): Command<F> {
  return definition;
}
