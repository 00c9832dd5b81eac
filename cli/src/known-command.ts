import type { Options } from "@plinth/core";
import type { AnyCommand, CommandArguments } from "@plinth/core/cli";
import type { Node } from "@plinth/node";

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

/** A command as it is listed; its flags are made when they are read, because most are only listed. */
export function toKnown(
  command: AnyCommand,
  plugin: string,
  load: KnownCommand["load"],
): KnownCommand {
  const { id, summary, examples, args } = command;
  return {
    id,
    plugin,
    summary,
    get flags() {
      return command.flags;
    },
    ...(examples === undefined ? {} : { examples }),
    ...(args === undefined ? {} : { args }),
    load,
  };
}
