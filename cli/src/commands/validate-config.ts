import { ConfigError, command, option } from "@plinth/core";
import { Configuration, type Layer, type OptionSchema } from "@plinth/core/kernel";
import { loadConfigFile } from "../config-file.js";
import type { LoadedProgram } from "../loading/load-program.js";
import { fileLayer } from "../sources.js";

const VALID =
  "TOML config file is valid on basic inspection. Further dependencies between related options are checked when Plinth starts.";

/** `plinth validate-config`: syntax, option names and values of a configuration file. */
export function validateConfig(loaded: () => LoadedProgram) {
  return command({
    id: "validate-config",
    summary: "Checks the syntax, the option names and the values of a configuration file.",
    examples: ["plinth validate-config --config-file=node.toml"],
    flags: { configFile: option.path({ summary: "The file." }) },
    uses: {},
    async run({ flags: { configFile }, io }) {
      if (configFile === undefined) {
        throw new ConfigError("OPTION_MISSING", {
          message: "Missing required option: '--config-file=<FILE>'",
          option: "config-file",
        });
      }
      await io.write(
        (await findProblems(loaded().prepared.schema, configFile)).join("\n") || VALID,
      );
    },
  });
}

/** Scripts read the text: the exit code is 0 whether the file is valid or not, as in Besu. */
async function findProblems(schema: OptionSchema, path: string): Promise<readonly string[]> {
  let layer: Layer;
  try {
    layer = fileLayer(await loadConfigFile(path), "file");
  } catch (error) {
    return describeProblem(error);
  }
  const isKnown = (name: string) => schema.find(name) !== undefined;
  const unknown = [...layer.entries].filter(([name]) => !isKnown(name));
  const known = [...layer.entries].filter(([name]) => isKnown(name));
  // Each by itself, so that the first problem does not hide the others.
  return [unknown, ...known.map((entry) => [entry])].flatMap((entries) => {
    try {
      void new Configuration(schema, [{ ...layer, entries: new Map(entries) }]);
      return [];
    } catch (error) {
      return describeProblem(error);
    }
  });
}

function describeProblem(error: unknown): readonly string[] {
  if (!(error instanceof ConfigError)) throw error;
  const { hints } = error.details;
  return [error.message, ...(Array.isArray(hints) ? hints : [])];
}
