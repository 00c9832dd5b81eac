import { command, option, type PreparedNode } from "@plinth/core";
import { formatConfigJson, formatConfigToml, listConfig } from "../format-config.js";

/** The name of the command. */
export const CONFIG_COMMAND = "config";

/** `plinth config`: what the options come to, and where each value comes from. */
export function configCommand({ schema, config }: PreparedNode) {
  return command({
    id: CONFIG_COMMAND,
    summary: "Prints the effective configuration with the source of every value; starts nothing.",
    examples: [
      "plinth --config-file=node.toml --rpc-http-port=9545 config",
      "plinth --profile=enterprise config --format=json",
    ],
    flags: {
      format: option.oneOf(["toml", "json"], {
        summary: "A configuration file with comments, or an object by option name.",
        default: "toml",
      }),
    },
    async run({ flags: { format }, io }) {
      const entries = listConfig(schema, config);
      await io.write(format === "json" ? formatConfigJson(entries) : formatConfigToml(entries));
    },
  });
}
