import { ConfigError, toOptionName } from "@plinth/core";
import { Configuration, OptionSchema, silentLogs } from "@plinth/core/kernel";
import { type Node, runCommand } from "@plinth/node";

/** The inputs of a command. */
export interface CommandInput {
  /** By the names used in code; the others have their defaults. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  /** Its standard input. */
  readonly input?: string;
  /** The files it can read, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The outcome of a command. */
export interface CommandOutput {
  readonly code: number;
  /** Its standard output. */
  readonly stdout: string;
  /** Its standard error. */
  readonly stderr: string;
  /** The files it wrote, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs a subcommand of a plugin on a node that is registered and not open. */
export async function runTestCommand(
  node: Node,
  id: string,
  { flags = {}, args = [], input = "", files = {} }: CommandInput,
): Promise<CommandOutput> {
  const commands = node.commands().map(({ item }) => item);
  const command = commands.find((each) => each.id === id);
  if (command === undefined) {
    const known = commands.map((each) => `"${each.id}"`).join(", ");
    throw new ConfigError("COMMAND_UNKNOWN", {
      message: `no plugin of this test has the command "${id}"; available are ${known || "none"}`,
    });
  }
  let stdout = "";
  let stderr = "";
  const written: Record<string, string> = {};
  const io = {
    read: async (path?: string) => (path === undefined ? input : getFile(files, path)),
    write: async (text: string, path?: string) => {
      if (path === undefined) stdout += `${text}\n`;
      else written[path] = text;
    },
    warn: (text: string) => {
      stderr += `${text}\n`;
    },
  };
  const log = silentLogs.for(id);
  const code = await runCommand(node, command, { flags: readFlags(command, flags), args, io, log });
  return { code, stdout, stderr, files: written };
}

function readFlags(
  {
    id,
    flags: declared,
  }: { readonly id: string; readonly flags: Parameters<OptionSchema["declare"]>[1] },
  flags: Readonly<Record<string, unknown>>,
) {
  const schema = new OptionSchema();
  schema.declare(id, declared);
  const label = "the flags of the test";
  const entries = Object.entries(flags).map(
    ([key, value]) => [toOptionName(key), { label, value }] as const,
  );
  return new Configuration(schema, [
    { source: "program", label, entries: new Map(entries) },
  ]).valuesOf(declared);
}

function getFile(files: Readonly<Record<string, string>>, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`the test has no file ${path}`);
  return text;
}
