import { definePlugin } from "@plinth/core";
import { privacyStatus } from "./privacy-status.js";
import { status } from "./status.js";

export default definePlugin({
  name: "cmd-status",
  setup({ cli }) {
    cli.command(status);
    cli.command(privacyStatus);
  },
});
