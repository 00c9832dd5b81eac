import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, Config } from "@oclif/core";
import { Plugin } from "@oclif/core/config";
import type { DeclaredOption } from "@plinth/core/kernel";
import { PROGRAM_FOLDER } from "../program-package.js";

/** Shells supported by oclif's completion. */
export const SHELLS = ["bash", "zsh", "powershell"] as const;

/** A shell. */
export type Shell = (typeof SHELLS)[number];

/** An option of the node, as far as it is completed. */
export type CompletedOption = Pick<DeclaredOption, "name" | "option">;

/** The path of oclif's script for a shell, relative to its folder of scripts. */
const FILES: Readonly<Record<Shell, string>> = {
  bash: "functions/bash/plinth.bash",
  zsh: "functions/zsh/_plinth",
  powershell: "functions/powershell/plinth.ps1",
};

const PACKAGE = "@oclif/plugin-autocomplete";

/** The script that completes commands, topics, flags and the node's options in a shell. */
export async function formatCompletion(
  shell: Shell,
  config: Config,
  options: readonly CompletedOption[],
): Promise<string> {
  const plugin = new Plugin({ name: PACKAGE, root: PROGRAM_FOLDER, type: "core" });
  await plugin.load();
  const Create = (await plugin.findCommand("autocomplete:create", {
    must: true,
  })) as unknown as new (
    argv: string[],
    config: Config,
  ) => Command;
  config.cacheDir = await mkdtemp(join(tmpdir(), "plinth-completion-"));
  try {
    await new Create([], config).run();
    await addNodeOptions(config.cacheDir, options);
    return await readFile(join(config.cacheDir, "autocomplete", FILES[shell]), "utf8");
  } finally {
    await rm(config.cacheDir, { recursive: true, force: true });
  }
}

/**
 * Adds the options before the command, which are unknown to oclif, to its scripts for bash and zsh.
 */
export async function addNodeOptions(
  cacheFolder: string,
  options: readonly CompletedOption[],
): Promise<void> {
  const change = async (shell: Shell, from: string, to: string) => {
    const path = join(cacheFolder, "autocomplete", FILES[shell]);
    const script = await readFile(path, "utf8");
    if (!script.includes(from))
      throw new Error(`the script for ${shell} is not as expected: no ${from}`);
    await writeFile(
      path,
      script.replace(from, () => to),
    );
  };
  const names = options.map(({ name }) => `--${name}`).join(" ");
  // A line without a command before its flags.
  await change("bash", 'local commands="\n', `local commands="\n ${names}\n`);
  await change("bash", "\n  local cur=", `${passOver(options)}\n  local cur=`);
  const main =
    '_plinth() {\n  local context state state_descr line\n  typeset -A opt_args\n\n  _arguments -C "1:';
  const specs = options.map((option) => `${toZsh(option)} \\\n    `).join("");
  await change(
    "zsh",
    main,
    main.replace('"1:', () => `\\\n    ${specs}"1:`),
  );
}

/** Removes the options before the command; bash splits `--name=value` into three words. */
function passOver(options: readonly CompletedOption[]): string {
  const withValue = options.filter(({ option }) => option.kind.arity !== "flag");
  return `
  local words=1 valued=" ${withValue.map(({ name }) => `--${name}`).join(" ")} "
  while [[ "\${COMP_WORDS[1]}" == -* ]]; do
    words=1
    if [[ "\${COMP_WORDS[2]}" == "=" ]]; then words=3
    elif [[ "$valued" == *" \${COMP_WORDS[1]} "* ]]; then words=2; fi
    if (( COMP_CWORD <= words )); then break; fi
    COMP_WORDS=("\${COMP_WORDS[0]}" "\${COMP_WORDS[@]:words + 1}")
    COMP_CWORD=$((COMP_CWORD - words))
  done
`;
}

/** `'--rpc-http-port=[Port.]:value:_files'`. */
function toZsh({ name, option: { kind, summary } }: CompletedOption): string {
  const text = summary.replaceAll(/[[\]\\]/g, "\\$&").replaceAll("'", "'\\''");
  return kind.arity === "flag" ? `'--${name}[${text}]'` : `'--${name}=[${text}]:value:_files'`;
}
