import { decodeInput } from "../abi/book.js";
import type { View, ViewContext } from "../context.js";
import { type Child, h, link } from "../dom.js";
import { formatEther, formatGwei, formatNumber, formatTime, toBig, toNumber } from "../format.js";
import { callTree } from "../parts/call-tree.js";
import { addressLink, age, blockLink, copyButton } from "../parts/links.js";
import { load, onDemand } from "../parts/load.js";
import { logList } from "../parts/logs.js";
import { type StateDiff, stateChanges } from "../parts/state-diff.js";
import { facts, section } from "../parts/table.js";
import { decodedText } from "../parts/values.js";
import { describeRevert } from "../revert.js";
import { attempt, call } from "../rpc.js";
import { transfersIn } from "../tokens.js";
import type { Block, Receipt, Trace, Transaction } from "../types.js";
import { explanation } from "./explanation.js";
import { isMarker, privateTransaction } from "./private-transaction.js";
import { outcome } from "./transaction-table.js";
import { transferTable } from "./transfer-table.js";

const TYPES = ["legacy", "access list", "dynamic fee", "blobs", "set code"];

/** A transaction by its hash. */
export async function transactionView(context: ViewContext): Promise<View> {
  const [hash = ""] = context.path;
  const title = "Transaction";
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) {
    return {
      title,
      content: [h("p", {}, `${hash} is not a transaction hash: expected 32 bytes.`)],
    };
  }
  const transaction = await call<Transaction | null>("eth_getTransactionByHash", [hash]);
  if (!transaction?.blockNumber) {
    context.onHead(() => context.reload());
    const content = transaction === null ? [] : pendingParts(transaction);
    return {
      title,
      content: [h("p", {}, h("code", { class: "whole" }, hash)), explanation(hash), ...content],
    };
  }
  const [receipt, block] = await Promise.all([
    call<Receipt>("eth_getTransactionReceipt", [hash]),
    call<Block | null>("eth_getBlockByNumber", [transaction.blockNumber, false]),
  ]);
  watch(context, transaction);
  const transfers = transfersIn(receipt.logs);
  return {
    title,
    content: [
      transactionFacts(transaction, receipt, block),
      receipt.status === "0x0" &&
        section(
          "Why it failed",
          load(() => revertReason(transaction)),
        ),
      isMarker(transaction) &&
        section(
          "Private transaction",
          load(() => privateTransaction(hash)),
        ),
      section("Input", inputText(transaction)),
      transfers.length > 0 &&
        section(
          "Token transfers",
          load(() => transferTable(transfers, "Token transfers")),
        ),
      section(`Logs (${receipt.logs.length})`, logList(receipt.logs)),
      section(
        "Calls",
        h("p", {}, link(`debugger/${hash}`, "Step through it in the debugger")),
        load(() => calls(hash)),
      ),
      onDemand("State changes", () => readChanges(hash)),
      onDemand("Raw transaction and receipt", async () =>
        h("pre", { tabindex: 0 }, JSON.stringify({ transaction, receipt }, undefined, 2)),
      ),
    ].filter((part) => part !== false),
  };
}

function watch(context: ViewContext, { hash, blockHash }: Transaction): void {
  context.onHead(async ({ number }) => {
    const now = await attempt<Transaction | null>("eth_getTransactionByHash", [hash]);
    const hasMoved = now !== undefined && now?.blockHash !== blockHash;
    if (!context.signal.aborted && hasMoved && toNumber(number) > 0) context.reload();
  });
}

function transactionFacts(
  transaction: Transaction,
  receipt: Receipt,
  block: Block | null,
): HTMLElement {
  const timestamp = toNumber(block?.timestamp);
  const price = receipt.effectiveGasPrice ?? transaction.gasPrice;
  const used = toBig(receipt.gasUsed);
  const type = toNumber(transaction.type ?? "0x0");
  return facts([
    ["Hash", [h("code", { class: "whole" }, transaction.hash), " ", copyButton(transaction.hash)]],
    ["Outcome", outcome(receipt)],
    [
      "Block",
      [blockLink(transaction.blockNumber), `, position ${toNumber(transaction.transactionIndex)}`],
    ],
    block !== null && ["Time", [formatTime(timestamp), " · ", age(timestamp)]],
    ["From", addressLink(transaction.from, true)],
    transaction.to === null
      ? ["Created", addressLink(receipt.contractAddress, true)]
      : ["To", addressLink(transaction.to, true)],
    ["Value", formatEther(transaction.value)],
    [
      "Fee",
      [
        formatEther(used * toBig(price)),
        h("span", { class: "dim" }, ` = ${formatNumber(used)} gas at ${formatGwei(price)}`),
      ],
    ],
    [
      "Gas limit",
      `${formatNumber(toBig(transaction.gas))} (${percent(used, toBig(transaction.gas))} used)`,
    ],
    transaction.maxFeePerGas !== undefined && [
      "Max fee",
      `${formatGwei(transaction.maxFeePerGas)}, of which priority ${formatGwei(transaction.maxPriorityFeePerGas)}`,
    ],
    ["Nonce", formatNumber(toNumber(transaction.nonce))],
    ["Type", `${type}: ${TYPES[type] ?? "unknown"}`],
    transaction.blobVersionedHashes !== undefined && [
      "Blobs",
      formatNumber(transaction.blobVersionedHashes.length),
    ],
    transaction.authorizationList !== undefined && [
      "Authorizations",
      formatNumber(transaction.authorizationList.length),
    ],
  ]);
}

function percent(part: bigint, whole: bigint): string {
  return whole === 0n ? "0 %" : `${Number((part * 1000n) / whole) / 10} %`;
}

function pendingParts(transaction: Transaction): readonly HTMLElement[] {
  return [
    facts([
      ["From", addressLink(transaction.from, true)],
      ["To", addressLink(transaction.to, true)],
      ["Value", formatEther(transaction.value)],
      ["Gas limit", formatNumber(toBig(transaction.gas))],
      ["Gas price", formatGwei(transaction.maxFeePerGas ?? transaction.gasPrice)],
      ["Nonce", formatNumber(toNumber(transaction.nonce))],
    ]),
    section("Input", inputText(transaction)),
  ];
}

function inputText({ input, to }: Transaction): Child {
  if (input === "0x") return h("p", { class: "dim" }, "Empty: a plain transfer.");
  const raw = h("pre", { tabindex: 0 }, input);
  if (to === null)
    return h(
      "details",
      {},
      h("summary", {}, `Creation code, ${(input.length - 2) / 2} bytes`),
      raw,
    );
  const decoded = decodeInput(input);
  if (decoded === undefined) {
    return [
      h(
        "p",
        { class: "dim" },
        "The function is not known. ",
        link("files", "Add the ABI of the contract"),
        " to decode it.",
      ),
      raw,
    ];
  }
  return [decodedText(decoded), h("details", {}, h("summary", {}, "Raw input"), raw)];
}

async function revertReason({ hash }: Transaction): Promise<Child> {
  const data = await call<string>("ots_getTransactionError", [hash]);
  if (data !== "0x") return h("p", { class: "notice problem" }, "Reverted: ", describeRevert(data));
  const [first] = await call<readonly Trace[]>("trace_transaction", [hash]);
  return h("p", { class: "notice problem" }, first?.error ?? "It failed without a reason.");
}

async function calls(hash: string): Promise<Child> {
  return callTree(await call<readonly Trace[]>("trace_transaction", [hash]));
}

async function readChanges(hash: string): Promise<Child> {
  const { stateDiff } = await call<{ readonly stateDiff: StateDiff }>("trace_replayTransaction", [
    hash,
    ["stateDiff"],
  ]);
  return stateChanges(stateDiff);
}
