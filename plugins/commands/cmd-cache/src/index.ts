import { definePlugin } from "@plinth/core";
import { clean } from "./clean.js";
import { ls } from "./ls.js";

export default definePlugin({
  name: "cmd-cache",
  setup({ cli }) {
    cli.command(ls);
    cli.command(clean);
  },
});
