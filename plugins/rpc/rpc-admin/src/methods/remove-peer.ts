import { method, type Runtime, t } from "@plinth/core";
import { enodeParam, readEnode } from "../enode.js";
import { p2pDisabled } from "../p2p-disabled.js";

/** `admin_removePeer`: undoes `admin_addPeer`. */
export const removePeer = method({
  summary: "Removes a node that was added, and its connection; false if it was not added.",
  params: { enode: enodeParam },
  exactParams: true,
  result: t.boolean,
  example: { params: [`enode://${"ab".repeat(64)}@127.0.0.1:30303`], result: true },
  handle({ enode }, { network, log }: Runtime) {
    const node = readEnode(enode, network);
    if (!network.isEnabled) throw p2pDisabled();
    const wasStatic = network.removeStaticPeer(node);
    log.debug(`${enode} ${wasStatic ? "is no longer" : "was not"} a static peer`);
    return wasStatic;
  },
});
