import type { Interfaces } from "@oclif/core";
import type { KnownCommand } from "../known-command.js";
import { PROGRAM_FOLDER, readProgramPackage } from "../program-package.js";
import { type Execute, toLoadable } from "./adapt-command.js";
import { toOclifId } from "./oclif-id.js";

/** The program as oclif's root plugin, with the commands of all our plugins. */
export function createOwnPlugin(
  commands: readonly KnownCommand[],
  execute: Execute,
): Interfaces.Plugin {
  const pjson = readProgramPackage<Interfaces.PJSON>();
  const loadable = commands.map((known) => toLoadable(known, execute));
  return {
    _base: "plinth",
    name: pjson.name,
    alias: pjson.name,
    version: pjson.version,
    pjson,
    root: PROGRAM_FOLDER,
    isRoot: true,
    type: "core",
    moduleType: "module",
    valid: true,
    hasManifest: true,
    hooks: {},
    options: { root: PROGRAM_FOLDER },
    commandsDir: undefined,
    commandIDs: loadable.map(({ id }) => id),
    commands: loadable,
    topics: topicsOf(commands),
    findCommand: (id: string) => loadable.find((each) => each.id === id)?.load() as never,
    load: async () => {},
  };
}

/** `rlp encode` is in the topic `rlp`; a topic that is also a command has its summary. */
function topicsOf(commands: readonly KnownCommand[]): Interfaces.Topic[] {
  const summaries = new Map(commands.map(({ id, summary }) => [id, summary]));
  const topics = new Set(
    commands.flatMap(({ id }) => {
      const words = id.split(" ").slice(0, -1);
      return words.map((_, index) => words.slice(0, index + 1).join(" "));
    }),
  );
  return [...topics].map((topic) => ({
    name: toOclifId(topic),
    description: summaries.get(topic) ?? `${topic} commands`,
  }));
}
