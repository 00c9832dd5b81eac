import type { Options } from "@plinth/core";
import type { AnyCommand, CommandArguments } from "@plinth/core/cli";
import type { Node } from "@plinth/node";

/** A listed command; its plugin is imported when it runs. */
export interface KnownCommand {
  /** Its name: `rlp encode`. */
  readonly id: string;
  /** The plugin that it belongs to. */
  readonly plugin: string;
  readonly summary: string;
  readonly examples?: readonly string[];
  readonly flags: Options;
  readonly args?: CommandArguments;
  /** Imports the implementation of the command, and sets the plugins up. */
  load(): Promise<LoadedCommand>;
}

/** An executable command, with the node it runs on. */
export interface LoadedCommand {
  readonly command: AnyCommand;
  readonly node: Node;
}

/** A listed command; its flags are created on demand, because most are only listed. */
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
