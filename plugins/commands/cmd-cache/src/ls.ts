import { command } from "@plinth/core";
import { cacheFolder, listCaches } from "@plinth/plugin-dev-fork/api";
import { describeFile, summarize } from "./describe-files.js";
import { flags } from "./flags.js";

/** `cache ls`: the blocks of which lazy forks have cached values. */
export const ls = command({
  id: "cache ls",
  summary: "Lists the blocks of which lazy forks have cached values.",
  examples: ["plinth cache ls --chain-id=1"],
  flags,
  async run({ flags: { folder: chosen, ...filter }, io }) {
    const folder = cacheFolder(chosen);
    const files = await listCaches(folder, filter);
    const lines = [`${folder}: ${summarize(files)}`, ...files.map(describeFile)];
    await io.write(lines.join("\n"));
  },
});
