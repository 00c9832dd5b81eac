import { definePlugin } from "@plinth/core";
import { check } from "./check.js";
import { create } from "./create.js";

export default definePlugin({
  name: "cmd-genesis",
  setup({ cli }) {
    cli.command(create);
    cli.command(check);
  },
});
