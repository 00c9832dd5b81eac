import { ConfigError, command } from "@plinth/core";
import type { CompletedOption, Shell } from "../oclif/completion.js";
import type { ConfigContent } from "../oclif/create-config.js";

/** What is completed. */
export interface CompletionContent {
  readonly options: readonly CompletedOption[];
  readonly commands: () => ConfigContent["commands"];
  readonly pluginCommands: ConfigContent["pluginCommands"];
}

/** `plinth generate-completion`: Besu's name for the scripts that `plinth autocomplete` sets up. */
export function generateCompletion({ options, commands, pluginCommands }: CompletionContent) {
  return command({
    id: "generate-completion",
    summary: "Prints the script that completes commands and options, including those of plugins.",
    examples: [
      "plinth generate-completion bash > /etc/bash_completion.d/plinth",
      "plinth generate-completion zsh > /usr/share/zsh/site-functions/_plinth",
    ],
    flags: {},
    args: {
      placeholder: "SHELL",
      summary: "bash, zsh or powershell; bash by default.",
      min: 0,
      max: 1,
    },
    uses: {},
    async run({ args: [name = "bash"], io }): Promise<void> {
      const { formatCompletion, SHELLS } = await import("../oclif/completion.js");
      const shell = SHELLS.find((each): each is Shell => each === name);
      if (shell === undefined) {
        throw new ConfigError("OPTION_INVALID", {
          message: `there is no completion for "${name}"; expected ${SHELLS.join(", ")}`,
          value: name,
        });
      }
      const { createConfig } = await import("../oclif/create-config.js");
      const config = await createConfig({
        commands: commands(),
        options,
        pluginCommands,
        word: "",
        execute: async () => 0,
        warn: () => {},
      });
      await io.write((await formatCompletion(shell, config, options)).trimEnd());
    },
  });
}
