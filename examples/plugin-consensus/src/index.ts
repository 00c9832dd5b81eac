import { ConfigError, defineEngine, definePlugin, option } from "@plinth/core";
import { TurnsEngine } from "./engine.js";
import { NextHead } from "./next-head.js";
import { readKey } from "./read-key.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "consensus-turns",
  options: {
    turnsKeyFile: option.path({
      summary: "File with the key that this node signs blocks with; it makes none when left out.",
    }),
  },
  setup({ config, consensus, hooks }) {
    const nextHead = new NextHead();
    hooks.chain.headChanged.tap(() => nextHead.announce());
    consensus.engine(
      defineEngine({
        key: "turns",
        settings,
        create({ settings }) {
          if (settings.authorities.length === 0) {
            throw new ConfigError("GENESIS_INVALID", {
              message: "config.turns.authorities: expected at least one address",
            });
          }
          const { turnsKeyFile } = config;
          const privateKey = turnsKeyFile === undefined ? undefined : readKey(turnsKeyFile);
          return new TurnsEngine(settings, { privateKey, nextHead });
        },
      }),
    );
  },
});
