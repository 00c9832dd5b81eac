import { definePlugin } from "@plinth/core";
import { disk } from "./disk.js";

export default definePlugin({
  name: "cmd-disk",
  setup({ cli }) {
    cli.command(disk);
  },
});
