import { toHex } from "@plinth/core";
import { findRevertReason, printable } from "@plinth/kit-rpc";
import type { PrivateReceipt, PrivateStatus } from "./private-receipt.js";

const LABEL = 10;
/** Longer outputs, such as the code of a contract, do not fit on a screen. */
const SHOWN_BYTES = 64;

/** Formats a receipt as text. */
export function describeReceipt(
  receipt: PrivateReceipt,
  status: PrivateStatus | undefined,
): string {
  const { commitmentHash, blockNumber, privacyGroupId, from, to, contractAddress, logs } = receipt;
  const outcome = isSuccess(receipt) ? "succeeded" : "failed";
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Marker", commitmentHash],
    ["Status", `${outcome}, in block ${blockNumber}`],
    ["Reason", isSuccess(receipt) ? undefined : describeFailure(receipt, status)],
    ["Group", printable(privacyGroupId)],
    ["From", from],
    ["To", to],
    ["Contract", contractAddress],
    ["Output", describeBytes(receipt.output)],
    ["Logs", logs.length === 0 ? "none" : String(logs.length)],
    ...logs.map(({ address, topics, data }) => {
      return [
        "",
        [address, ...topics, describeBytes(data)].join(`\n${" ".repeat(LABEL + 2)}`),
      ] as const;
    }),
  ];
  return rows
    .filter(([, text]) => text !== undefined)
    .map(([label, text]) => `${label.padEnd(LABEL)}${text}`)
    .join("\n");
}

/** Whether the transaction succeeded. */
export function isSuccess({ status }: PrivateReceipt): boolean {
  return status === 1n;
}

/** The revert reason: the text of an `Error(string)`, otherwise the bytes. */
export function describeRevert(data: Uint8Array): string {
  const hex = toHex(data);
  const text = findRevertReason(hex);
  return text === undefined ? describeBytes(data) : `"${printable(text)}"`;
}

function describeFailure(
  { revertReason }: PrivateReceipt,
  status: PrivateStatus | undefined,
): string {
  const { reason } = status ?? {};
  if (revertReason !== undefined) return `reverted with ${describeRevert(revertReason)}`;
  return reason === undefined ? "the node does not report it" : printable(reason);
}

function describeBytes(bytes: Uint8Array): string {
  if (bytes.length <= SHOWN_BYTES) return toHex(bytes);
  return `${toHex(bytes.slice(0, SHOWN_BYTES))}… (${bytes.length} bytes; --json shows them all)`;
}
