// A validator of QBFT or IBFT 2.0 that lies, or loses messages, at one height: the first after block 2 that the
// validator `LIE_PROPOSER` proposes in round 0, which it prints, or `LIE_HEIGHT`.
// - `LIE=bodies`: whatever block it sends or passes on outside of a signature has another body under the same header.
// - `LIE=loses`: its commits of round 0 get lost, those of round 1 reach one node only (`LIE_REACHES`, an id), and its
//   round changes are late, so that those of the liar come first.
// With both, prepares of round 0 do not reach the node `LIE_UNPREPARED`, which then depends on the blocks of others.
// - `LIE=late`: its round changes to round 1 get lost.
// - `LIE=forgets`: its round changes claim nothing; `LIE_KEY` is its key.
import { decodeRlp, definePlugin, encodeRlp, getCrypto, hexToBytes } from "@plinth/core";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibft } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbft } from "@plinth/plugin-consensus-qbft/api";

const { LIE, LIE_ENGINE, LIE_PROPOSER, LIE_REACHES, LIE_UNPREPARED, LIE_KEY } = process.env;
const { LIE_HEIGHT } = process.env;
const LATE_MS = 400;
const PROTOCOLS = ["istanbul", "IBF"];
const [plugin, dialect] = LIE_ENGINE === "qbft" ? [consensusQbft, qbft] : [consensusIbft, ibft];
const LIES = { bodies: lie, loses: lose, late: loseFirst, forgets: forget };

let lyingHeight = LIE_HEIGHT && BigInt(LIE_HEIGHT);

// biome-ignore lint/style/noDefaultExport: a plugin file
export default definePlugin({
  ...plugin,
  name: "lying-validator",
  setup(node) {
    const protocol = (each) =>
      node.network.protocol(
        PROTOCOLS.includes(each.name)
          ? { ...each, connected: (peer, runtime) => noting(each.connected(lying(peer), runtime)) }
          : each,
      );
    plugin.setup({ ...node, network: { ...node.network, protocol } });
  },
});

/** A session that tracks the current height. */
function noting(session) {
  return {
    received(code, bytes) {
      note(code, bytes);
      return session.received(code, bytes);
    },
    ended: (end) => session.ended(end),
  };
}

/** A peer to which some messages are changed or not delivered. */
function lying(peer) {
  return new Proxy(peer, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return (code, bytes) => {
        const message = note(code, bytes);
        const act = LIES[LIE];
        if (act === undefined || message.height !== lyingHeight) return target.send(code, bytes);
        return act(target, code, bytes, message);
      };
    },
  });
}

function note(code, bytes) {
  const message = dialect.decode(code, bytes);
  const { kind, round, height, author } = message;
  const isIt = kind === "proposal" && round === 0 && height > 2n && author === LIE_PROPOSER;
  if (lyingHeight === undefined && isIt) {
    lyingHeight = height;
    process.stdout.write(`lies at block ${height}\n`);
  }
  return message;
}

function lie(peer, code, bytes, message) {
  if (isKeptFrom(peer, message)) return true;
  const isOutside = message.kind === "round-change" || LIE_ENGINE !== "qbft";
  const isChanged = isOutside && message.block !== undefined;
  return peer.send(code, isChanged ? withOtherBody(bytes) : bytes);
}

/** In all messages with an unsigned block, it is the second item. */
function withOtherBody(bytes) {
  const [signed, [header, transactions, uncles, ...more], ...rest] = decodeRlp(bytes);
  return encodeRlp([signed, [header, transactions, [...uncles, header], ...more], ...rest]);
}

function isKeptFrom({ id }, { kind, round }) {
  return kind === "prepare" && round === 0 && id === LIE_UNPREPARED;
}

function lose(peer, code, bytes, message) {
  const { kind, round } = message;
  if (isKeptFrom(peer, message)) return true;
  if (kind === "commit" && (round === 0 || peer.id !== LIE_REACHES)) return true;
  if (kind !== "round-change") return peer.send(code, bytes);
  setTimeout(() => peer.send(code, bytes), LATE_MS);
  return true;
}

function loseFirst(peer, code, bytes, { kind, round }) {
  return (kind === "round-change" && round === 1) || peer.send(code, bytes);
}

function forget(peer, code, bytes, { kind, height, round, author }) {
  const key = hexToBytes(LIE_KEY);
  const self = getCrypto().addressOf(getCrypto().publicKeyOf(key));
  if (kind !== "round-change" || author !== self) return peer.send(code, bytes);
  const sign = async (hash) => getCrypto().sign(hexToBytes(hash), key);
  void dialect
    .createRoundChange({ height, round }, undefined, sign)
    .then((message) => peer.send(code, message.bytes));
  return true;
}
