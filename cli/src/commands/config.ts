import { command, option } from "@plinth/core";
import { formatConfigJson, formatConfigToml, listConfig } from "../format-config.js";
import type { LoadedProgram } from "../loading/load-program.js";

/** `plinth config`: the effective options, with the source of each value. */
export function configCommand(loaded: () => LoadedProgram) {
  return command({
    id: "config",
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
      json: option.flag({ summary: "The same as --format=json." }),
    },
    uses: {},
    async run({ flags: { format, json }, io }) {
      const { schema, config } = loaded().prepared;
      const entries = listConfig(schema, config);
      await io.write(
        json || format === "json" ? formatConfigJson(entries) : formatConfigToml(entries),
      );
    },
  });
}
