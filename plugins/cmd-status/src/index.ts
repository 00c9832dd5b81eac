import { definePlugin } from "@plinth/core";
import { status } from "./status.js";

export default definePlugin({
  name: "cmd-status",
  setup({ cli }) {
    cli.command(status);
  },
});
