import { definePlugin } from "@plinth/core";
import { mirror } from "./mirror.js";

export default definePlugin({
  name: "cmd-mirror",
  setup({ cli }) {
    cli.command(mirror);
  },
});
