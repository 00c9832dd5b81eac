import { command, option } from "@plinth/core";
import { genesisTemplates } from "@plinth/core/consensus";
import { chooseFolder } from "./choose-folder.js";
import { folderFlag } from "./flags.js";
import { openFolder } from "./folder.js";
import { findRunning } from "./nodes.js";
import { formatTable, type NodeView } from "./table.js";
import { viewNetwork } from "./view-network.js";

/** `up status`: the nodes of a network on this machine. */
export const status = command({
  id: "up status",
  summary: "Shows the nodes of a network created by `up`; exit code 1 unless all of them run.",
  examples: ["plinth up status", "plinth up status --json", "plinth up status --data-path=network"],
  flags: {
    ...folderFlag,
    json: option.flag({ summary: "Prints one JSON object for each node instead of the table." }),
  },
  uses: { points: [genesisTemplates] },
  async run({ flags, io, contributions, program, ...context }) {
    const given = chooseFolder(flags.dataPath, context);
    const { path, network, template } = await openFolder(given, contributions(genesisTemplates));
    const running = await findRunning(path, network, program);
    const views = await viewNetwork(network, running, template);
    await io.write(flags.json ? toJsonLines(views) : formatTable(views, io.hasColors));
    return views.every(({ answer }) => answer !== undefined) ? 0 : 1;
  },
});

/** A line for each node, with its status if it runs. */
function toJsonLines(views: readonly NodeView[]): string {
  return views
    .map(({ node: { name, address, rpcPort }, pid, answer }) =>
      JSON.stringify({ name, address, url: `http://127.0.0.1:${rpcPort}`, pid, ...answer }),
    )
    .join("\n");
}
