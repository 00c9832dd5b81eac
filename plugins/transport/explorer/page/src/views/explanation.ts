import { h, link } from "../dom.js";
import { formatEther, formatGwei, formatNumber, toNumber } from "../format.js";
import { badge, transactionLink } from "../parts/links.js";
import { load } from "../parts/load.js";
import { call } from "../rpc.js";

/** What `plinth_explainTransaction` returns. */
export interface Explanation {
  readonly state: string;
  readonly message: string;
  readonly nonce?: string;
  readonly price?: string;
  readonly offered?: string;
  readonly needed?: string;
  readonly balance?: string;
  readonly cost?: string;
  readonly reason?: string;
  readonly by?: string;
}

/** What to do about each state. */
const ADVICE: Readonly<Record<string, string>> = {
  ready: "Nothing: the next block can include it. If blocks do not come, see the doctor.",
  "waiting-for-nonce":
    "Send the transaction with the missing nonce, or send this one again with it.",
  underpriced: "Send it again with the same nonce and a higher price.",
  unfunded: "Send ether to its sender, or send it again with a lower value or gas limit.",
  "held-up": "Resolve the earlier transaction of the sender first.",
  "set-aside":
    "The log of the node has the reason. Send it again with the same nonce and a higher price to retry it.",
  dropped: "Send it again if it is still wanted.",
  unknown: "Check that it was sent to this network, and send it again.",
};

/** Why a transaction is not on the chain, in words. */
export function explanation(hash: string): HTMLElement {
  return load(async () => explained(await readExplanation(hash)));
}

/** Asks the node. */
export function readExplanation(hash: string): Promise<Explanation> {
  return call<Explanation>("plinth_explainTransaction", [hash]);
}

/** A state in its color. */
export function stateBadge(state: string): HTMLElement {
  const tone =
    state === "mined" || state === "ready" ? "good" : state.startsWith("waiting") ? "wait" : "bad";
  return badge(state, tone);
}

function explained(explanation: Explanation): HTMLElement {
  const { state, message, offered, needed, balance, cost, nonce, by } = explanation;
  return h(
    "div",
    { class: "notice" },
    h("p", {}, stateBadge(state), " ", message, "."),
    offered !== undefined &&
      needed !== undefined &&
      h("p", {}, `It offers ${formatGwei(offered)}, and ${formatGwei(needed)} is needed.`),
    balance !== undefined &&
      cost !== undefined &&
      h("p", {}, `Its sender has ${formatEther(balance)}, and it may cost ${formatEther(cost)}.`),
    nonce !== undefined && h("p", {}, `The missing nonce is ${formatNumber(toNumber(nonce))}.`),
    by !== undefined && h("p", {}, "The other transaction: ", transactionLink(by)),
    ADVICE[state] !== undefined && h("p", {}, h("strong", {}, "What to do: "), ADVICE[state]),
    state === "ready" && h("p", {}, link("doctor", "Doctor")),
  );
}
