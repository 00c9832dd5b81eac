import { definePlugin, option } from "@plinth/core";
import { FORMAT } from "./database-format.js";
import { createLevelStorageDriver, USUAL_OPEN_FILES } from "./level-store.js";

export default definePlugin({
  name: "storage-level",
  options: {
    leveldbMaxOpenFiles: option.integer({
      summary:
        "Most database files that are open at once; more read faster, at 2 MiB of memory each.",
      default: USUAL_OPEN_FILES,
      min: 64,
      max: 50_000,
    }),
    XleveldbChecksEnabled: option.flag({
      summary: "Checks every value that is read; switch it off for measurements only.",
      default: true,
    }),
  },
  setup({ config, storage, log }) {
    storage.driver(
      createLevelStorageDriver({
        maxOpenFiles: config.leveldbMaxOpenFiles,
        checksValues: config.XleveldbChecksEnabled,
        onConverted: (values) =>
          log.info(`converting the database to format ${FORMAT}: ${values} values so far`),
      }),
    );
  },
});
