// The protocol eth, without announcing or serving blocks: this node keeps its blocks to itself.
import { definePlugin } from "@plinth/core";
import protocolEth from "@plinth/plugin-protocol-eth";

/** NewBlockHashes, BlockHeaders, BlockBodies and NewBlock. */
const BLOCKS = [0x01, 0x04, 0x06, 0x07];

// biome-ignore lint/style/noDefaultExport: a plugin file
export default definePlugin({
  ...protocolEth,
  name: "silent-eth",
  setup(node) {
    const protocol = (each) =>
      node.network.protocol({
        ...each,
        connected: (peer, runtime) => each.connected(silent(peer), runtime),
      });
    protocolEth.setup({ ...node, network: { ...node.network, protocol } });
  },
});

function silent(peer) {
  return new Proxy(peer, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return (code, bytes) => BLOCKS.includes(code) || target.send(code, bytes);
    },
  });
}
