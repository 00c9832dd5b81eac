// A QBFT validator that prepares and does not commit: from a height on, it sends no prepare in
// round 0 and no commit in any round. Blocks are then prepared in later rounds, and decided only if
// the others are a quorum without it.
import { definePlugin } from "@plinth/core";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbft } from "@plinth/plugin-consensus-qbft/api";

const FROM = BigInt(process.env.WITHHOLD_FROM ?? 0);

// biome-ignore lint/style/noDefaultExport: a plugin file
export default definePlugin({
  ...consensusQbft,
  name: "withholding-validator",
  setup(node) {
    const protocol = (each) =>
      node.network.protocol({
        ...each,
        connected: (peer, runtime) => deaf(each.connected(withholding(peer), runtime)),
      });
    consensusQbft.setup({ ...node, network: { ...node.network, protocol } });
  },
});

/** A peer that some messages do not reach. */
function withholding(peer) {
  return new Proxy(peer, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return (code, bytes) => isWithheld(code, bytes) || target.send(code, bytes);
    },
  });
}

/**
 * A session that does not receive commits: with those of the others it would decide the block
 * alone.
 */
function deaf(session) {
  return {
    received(code, bytes) {
      if (qbft.decode(code, bytes).kind !== "commit") session.received(code, bytes);
    },
    ended: (end) => session.ended(end),
  };
}

function isWithheld(code, bytes) {
  const { kind, height, round } = qbft.decode(code, bytes);
  return height >= FROM && (kind === "commit" || (kind === "prepare" && round === 0));
}
