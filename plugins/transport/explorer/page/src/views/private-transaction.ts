import { type Child, h, link } from "../dom.js";
import { formatNumber, toNumber } from "../format.js";
import { callTree } from "../parts/call-tree.js";
import { addressLink, badge, groupLink, hexText } from "../parts/links.js";
import { load } from "../parts/load.js";
import { logList } from "../parts/logs.js";
import { facts } from "../parts/table.js";
import { describeRevert } from "../revert.js";
import { attempt, call } from "../rpc.js";
import type { Log, Trace, Transaction } from "../types.js";

/** The receipt of a private transaction. */
export interface PrivateReceipt {
  readonly privacyGroupId: string;
  readonly status: string;
  readonly blockNumber: string;
  readonly to: string | null;
  readonly contractAddress?: string | null;
  readonly output?: string;
  readonly revertReason?: string;
  readonly logs: readonly Log[];
}

interface PrivateTransaction extends Transaction {
  readonly privateFrom: string;
  readonly privateFor?: readonly string[];
  readonly privacyGroupId?: string;
}

/** Where markers are sent to. */
const MARKERS = /^0x0{38}7e$/i;

/** Whether a transaction marks a private one. */
export function isMarker({ to, input }: Transaction): boolean {
  return to !== null && MARKERS.test(to) && (input.length === 66 || input.length === 130);
}

/** The private transaction behind a marker, for those who may read it. */
export async function privateTransaction(marker: string): Promise<Child> {
  const [transaction, receipt, stage] = await Promise.all([
    call<PrivateTransaction | null>("priv_getPrivateTransaction", [marker]),
    attempt<PrivateReceipt | null>("priv_getTransactionReceipt", [marker]),
    attempt<{ readonly status: string; readonly reason?: string }>(
      "plinth_privateTransactionStatus",
      [marker],
    ),
  ]);
  if (transaction === null) {
    return h(
      "p",
      { class: "dim" },
      "It is a private transaction of other parties: this node, or this token, may not read it.",
    );
  }
  return [
    facts([
      stage !== undefined && [
        "Stage",
        [
          badge(stage.status, stage.status === "executed" ? "good" : "wait"),
          " ",
          stage.reason ?? "",
        ],
      ],
      receipt
        ? [
            "Outcome",
            badge(
              receipt.status === "0x1" ? "success" : "failed",
              receipt.status === "0x1" ? "good" : "bad",
            ),
          ]
        : undefined,
      receipt ? ["Group", groupLink(receipt.privacyGroupId)] : undefined,
      ["From", addressLink(transaction.from, true)],
      transaction.to === null
        ? ["Created", receipt?.contractAddress ?? "–"]
        : ["To", transaction.to],
      ["Sent by the key", h("code", { class: "whole" }, transaction.privateFrom)],
      [
        "For",
        h(
          "code",
          { class: "whole" },
          (transaction.privateFor ?? [transaction.privacyGroupId ?? ""]).join(", "),
        ),
      ],
      ["Nonce", formatNumber(toNumber(transaction.nonce))],
      ["Input", hexText(transaction.input, 66, 8)],
      receipt?.output !== undefined &&
        receipt.output !== "0x" && ["Output", hexText(receipt.output, 66, 8)],
      receipt?.revertReason !== undefined && ["Reverted", describeRevert(receipt.revertReason)],
    ]),
    receipt && [h("h3", {}, `Private logs (${receipt.logs.length})`), logList(receipt.logs)],
    receipt && [
      h("h3", {}, "Private calls"),
      h("p", {}, link(`private-debugger/${marker}`, "Step through its code in the debugger")),
      load(async () =>
        callTree(
          await call<readonly Trace[]>("priv_traceTransaction", [receipt.privacyGroupId, marker]),
        ),
      ),
    ],
  ];
}
