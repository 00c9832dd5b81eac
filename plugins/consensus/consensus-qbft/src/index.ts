import { definePlugin, option, optional } from "@plinth/core";
import { registerBft } from "@plinth/kit-bft";
import { signFromOption } from "@plinth/kit-poa";
import { ibftChain } from "@plinth/plugin-consensus-ibft/api";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { qbftChain } from "./api.js";
import { checkQbftGenesis } from "./check-genesis.js";
import { createQbft } from "./create-qbft.js";
import { createDialect } from "./dialect.js";
import { qbftExtraData } from "./extra-data.js";
import { codes } from "./messages/form.js";
import { settings, transition } from "./settings.js";
import { takeOverVotes } from "./take-over-votes.js";

export default definePlugin({
  name: "consensus-qbft",
  activation: {},
  provides: [qbftChain],
  dependencies: { eth: optional(ethPeers), ibft: optional(ibftChain) },
  options: {
    qbftSignFrom: signFromOption("a QBFT validator"),
    XqbftBlockRound: option.oneOf(["MESSAGE", "ZERO"], {
      default: "MESSAGE",
      summary:
        "The round that proposed blocks carry: that of their message, or zero, which GoQuorum validators need.",
    }),
  },
  setup(node) {
    const { config, hooks, onStart } = node;
    const findQbft = registerBft(node, {
      codec: qbftExtraData,
      dialect: createDialect(config.XqbftBlockRound === "ZERO" ? "zero" : "message"),
      protocol: { name: "istanbul", version: 100, codes },
      namespace: "qbft",
      service: qbftChain,
      ...{ settings, transition },
      precedence: 3,
      startBlock: ({ startBlock }) => BigInt(startBlock ?? 0),
      // It counts from the end of the period.
      requestTimeoutSeconds: (periodSeconds) => Math.max(2, periodSeconds),
      signFrom: config.qbftSignFrom,
      check: checkQbftGenesis,
      create: createQbft,
    });
    onStart(async (runtime) => {
      const qbft = findQbft();
      if (qbft !== undefined) await takeOverVotes(runtime, qbft);
    });
    hooks.chain.headChanged.tap(async (_, runtime) => {
      const qbft = findQbft();
      if (qbft !== undefined && runtime.chain.blocks.head().number + 1n === qbft.startBlock) {
        await takeOverVotes(runtime, qbft);
      }
    });
  },
});
