import { type AnyCommand, ConfigError, command, type OptionSchema } from "@plinth/core";
import { BESU } from "../besu/declare.js";
import { formatCompletion, SHELLS } from "../completion.js";
import { PROFILE_COMMANDS } from "../profile-command.js";

/** `plinth generate-completion`: a script that completes commands and options in a shell. */
export function generateCompletion(
  schema: OptionSchema,
  commands: readonly Pick<AnyCommand, "id" | "summary" | "flags">[],
) {
  const self = command({
    id: "generate-completion",
    summary: "Prints a script that completes commands and options, those of plugins included.",
    examples: [
      "plinth generate-completion bash > /etc/bash_completion.d/plinth",
      "plinth generate-completion zsh >> ~/.zshrc",
      "plinth generate-completion fish > ~/.config/fish/completions/plinth.fish",
    ],
    flags: {},
    args: {
      placeholder: "SHELL",
      summary: `${SHELLS.join(", ")}; bash when left out.`,
      min: 0,
      max: 1,
    },
    uses: {},
    async run({ args: [name = "bash"], io }): Promise<void> {
      const shell = SHELLS.find((each) => each === name);
      if (shell === undefined) {
        throw new ConfigError("OPTION_INVALID", {
          message: `there is no completion for "${name}"; expected ${SHELLS.join(", ")}`,
          value: name,
        });
      }
      const options = schema.all().filter(({ owner }) => owner !== BESU);
      const profiles = PROFILE_COMMANDS.map(({ word, summary }) => ({
        id: word,
        summary,
        flags: {},
      }));
      const completed = [...profiles, ...commands, self];
      await io.write(formatCompletion(shell, { options, commands: completed }));
    },
  });
  return self;
}
