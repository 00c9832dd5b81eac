import { definePlugin } from "@plinth/core";
import { verify } from "./verify.js";

export default definePlugin({
  name: "cmd-db",
  setup({ cli }) {
    cli.command(verify);
  },
});
