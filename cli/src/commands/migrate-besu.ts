import { command } from "@plinth/core";
import { flags } from "../besu/migrate/flags.js";
import type { LoadedProgram } from "../loading/load-program.js";

/** `migrate besu`: the configuration of a node that takes the place of a Besu node. */
export function migrateBesu(loaded: () => LoadedProgram) {
  return command({
    id: "migrate besu",
    summary:
      "Makes a configuration from the files of a Besu node, and reports what has no counterpart; changes nothing there.",
    examples: [
      "plinth migrate besu /opt/besu --to=/var/lib/plinth",
      "plinth migrate besu besu-node --to=plinth-node --genesis-file=genesis.json",
    ],
    flags,
    args: { placeholder: "DIR", summary: "Folder of the Besu node.", min: 1, max: 1 },
    uses: { genesis: true },
    async run(context) {
      const { migrate } = await import("../besu/migrate/migrate.js");
      await migrate(context, loaded().prepared.schema);
    },
  });
}
