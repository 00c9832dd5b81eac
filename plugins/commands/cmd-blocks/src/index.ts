import { definePlugin } from "@plinth/core";
import { exportBlocks } from "./export.js";
import { importBlocks } from "./import.js";

export default definePlugin({
  name: "cmd-blocks",
  setup({ cli }) {
    cli.command(importBlocks);
    cli.command(exportBlocks);
  },
});
