import { join } from "node:path";
import { command, PlinthError } from "@plinth/core";
import { flags } from "../besu/migrate/flags.js";
import type { LoadedProgram } from "../loading/load-program.js";
import type { ProgramContext } from "../program.js";

/** Exit code if something remains to be fixed in the written files. */
const REFUSED = 1;

/** `migrate besu`: the configuration of a node that replaces a Besu node. */
export function migrateBesu(loaded: () => LoadedProgram, programContext: ProgramContext) {
  return command({
    id: "migrate besu",
    summary:
      "Creates a configuration from the files of a Besu node, and reports what has no counterpart; changes nothing there.",
    examples: [
      "plinth migrate besu /opt/besu --to=/var/lib/plinth",
      "plinth migrate besu besu-node --to=plinth-node --genesis-file=genesis.json",
    ],
    flags,
    args: { placeholder: "DIR", summary: "Folder of the Besu node.", min: 1, max: 1 },
    uses: { genesis: true },
    async run(context) {
      const { migrate } = await import("../besu/migrate/migrate.js");
      const to = await migrate(context, loaded().prepared.schema);
      const { tryStart } = await import("../trial-start.js");
      const config = join(to, "plinth.toml");
      try {
        await tryStart([`--config-file=${config}`], programContext);
      } catch (error) {
        if (!(error instanceof PlinthError)) throw error;
        await context.io.write(`Checked: a node does not start with ${config}: ${error.message}`);
        return REFUSED;
      }
      await context.io.write(`Checked: a node opens with ${config}.`);
      return 0;
    },
  });
}
