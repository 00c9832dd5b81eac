import { method, type Runtime, t } from "@plinth/core";
import { enodeParam, readEnode } from "../enode.js";
import { p2pDisabled } from "../p2p-disabled.js";

/** `admin_addPeer`: adds a node to keep a connection to. */
export const addPeer = method({
  summary: "Adds a node to keep a connection to; false if it was added before.",
  params: { enode: enodeParam },
  exactParams: true,
  result: t.boolean,
  example: { params: [`enode://${"ab".repeat(64)}@127.0.0.1:30303`], result: true },
  handle({ enode }, { network, log }: Runtime) {
    const node = readEnode(enode, network);
    if (!network.isEnabled) throw p2pDisabled();
    const isNew = network.addStaticPeer(node);
    log.debug(`${enode} ${isNew ? "is" : "was already"} a static peer`);
    return isNew;
  },
});
