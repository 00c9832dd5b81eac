import { definePlugin } from "@plinth/core";
import { backup } from "./backup.js";
import { repair } from "./repair/repair.js";
import { restore } from "./restore.js";
import { verify } from "./verify.js";

export default definePlugin({
  name: "cmd-db",
  setup({ cli }) {
    cli.command(verify);
    cli.command(repair);
    cli.command(backup);
    cli.command(restore);
  },
});
