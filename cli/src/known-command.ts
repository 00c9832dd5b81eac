import type { AnyCommand, CommandArguments, Node, Options } from "@plinth/core";

/** A command as it is listed; its plugin is imported when it runs. */
export interface KnownCommand {
  /** Its words: `rlp encode`. */
  readonly id: string;
  /** The plugin that it belongs to. */
  readonly plugin: string;
  readonly summary: string;
  readonly examples?: readonly string[];
  readonly flags: Options;
  readonly args?: CommandArguments;
  /** Imports what the command runs, and sets the plugins up. */
  load(): Promise<LoadedCommand>;
}

/** A command that can run, with the node it runs on. */
export interface LoadedCommand {
  readonly command: AnyCommand;
  readonly node: Node;
}

/** What is listed of a command. */
export function toKnown(command: AnyCommand, plugin: string): Omit<KnownCommand, "load"> {
  const { id, summary, examples, flags, args } = command;
  return {
    id,
    plugin,
    summary,
    flags,
    ...(examples === undefined ? {} : { examples }),
    ...(args === undefined ? {} : { args }),
  };
}
