import { definePlugin } from "@plinth/core";
import { create } from "./create/create.js";
import { inspect } from "./inspect.js";
import { verify } from "./verify/verify.js";

export default definePlugin({
  name: "cmd-snapshot",
  setup({ cli }) {
    cli.command(create);
    cli.command(verify);
    cli.command(inspect);
  },
});
