import { rm } from "node:fs/promises";
import { command } from "@plinth/core";
import { cacheFolder, listCaches } from "@plinth/plugin-dev-fork/api";
import { summarize } from "./describe-files.js";
import { flags } from "./flags.js";

/** `cache clean`: removes what lazy forks have cached. */
export const clean = command({
  id: "cache clean",
  summary: "Removes the values that lazy forks have cached.",
  examples: ["plinth cache clean", "plinth cache clean --chain-id=1 --block=21000000"],
  flags,
  async run({ flags: { folder: chosen, ...filter }, io }) {
    const folder = cacheFolder(chosen);
    const files = await listCaches(folder, filter);
    for (const { path } of files) await rm(path, { force: true });
    await io.write(`${folder}: removed ${summarize(files)}`);
  },
});
