import { ConfigError, command, option, PlinthError } from "@plinth/core";
import { Configuration, type Layer, type OptionSchema } from "@plinth/core/kernel";
import { loadConfigFile } from "../config-file.js";
import type { LoadedProgram } from "../loading/load-program.js";
import type { ProgramContext } from "../program.js";
import { fileLayer } from "../sources.js";

const VALID =
  "TOML config file is valid on basic inspection. A node opens with it; its database and its ports were not tried.";

/** Exit code for a file that no node starts with. */
const REFUSED = 2;

/** `plinth validate-config`: whether a node starts with a configuration file. */
export function validateConfig(loaded: () => LoadedProgram, programContext: ProgramContext) {
  return command({
    id: "validate-config",
    summary:
      "Checks a configuration file like a start, in a few seconds; exit code 2 if a node would not start with it.",
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
      const { schema, config } = loaded().prepared;
      const listed = await findProblems(schema, configFile);
      const problems = listed.length > 0 ? listed : await findRefusal(configFile, programContext);
      await io.write(problems.join("\n") || VALID);
      // Scripts for Besu read the text: there the exit code is 0 whether the file is valid or not.
      const isBesu = config.get("rpcCompatibility") === "besu";
      return problems.length === 0 || isBesu ? 0 : REFUSED;
    },
  });
}

/** Why a start with the file would fail. */
async function findRefusal(
  path: string,
  programContext: ProgramContext,
): Promise<readonly string[]> {
  const { tryStart } = await import("../trial-start.js");
  try {
    await tryStart([`--config-file=${path}`], programContext);
    return [];
  } catch (error) {
    return describeProblem(error);
  }
}

/** All problems of the file itself. */
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
  // One by one, so that the first problem does not hide the others.
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
  if (!(error instanceof PlinthError)) throw error;
  const { hints } = error.details;
  return [error.message, ...(Array.isArray(hints) ? hints : [])];
}
