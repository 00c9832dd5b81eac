import { definePlugin } from "@plinth/core";
import { applyOptions } from "./apply-options.js";
import { options } from "./options.js";

export default definePlugin({
  name: "dev-genesis",
  options,
  setup({ config, hooks }) {
    hooks.chain.genesis.tap((genesis) => applyOptions(genesis, config));
  },
});
