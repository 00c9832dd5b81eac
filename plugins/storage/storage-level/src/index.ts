import { definePlugin, option } from "@plinth/core";
import { USUAL_OPEN_FILES } from "./level-driver.js";
import { registerLevel } from "./register.js";

export default definePlugin({
  name: "storage-level",
  activation: {},
  options: {
    leveldbMaxOpenFiles: option.integer({
      summary: "Maximum number of open database files; more read faster, at 2 MiB of memory each.",
      default: USUAL_OPEN_FILES,
      min: 64,
      max: 50_000,
    }),
    XleveldbChecksEnabled: option.flag({
      summary: "Verifies the checksum of every value that is read; disable it for benchmarks only.",
      default: true,
    }),
  },
  setup({ config, ...node }) {
    registerLevel(node, {
      maxOpenFiles: config.leveldbMaxOpenFiles,
      checksValues: config.XleveldbChecksEnabled,
    });
  },
});
