import { hexToBytes } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { type PrivateRun, runPrivateMessage } from "../execution/run-private-transaction.js";
import { PROXY_ADDRESS } from "./contracts.js";
import { addedKeys, isAddition, participantsOf, SELECTORS } from "./participants.js";
import type { VersionedTransaction } from "./versioned-transaction.js";

const ZERO_ADDRESS = `0x${"00".repeat(20)}` as const;
const WORD = 32;
/** Gas price that Besu passes to such calls; code can read it. */
const GAS_PRICE = 1000n;

/**
 * Why a private transaction is rejected by its flexible group; checks are in the same order as in Besu.
 *
 * All members must reach the same verdict: the contracts of the group are called in its state before the transaction.
 */
export async function findRefusal(
  { transaction, version }: Pick<VersionedTransaction, "transaction" | "version">,
  on: PrivateRun,
): Promise<string | undefined> {
  const adds = isAddition(transaction);
  const canExecute = await ask(SELECTORS.canExecute, on);
  if (canExecute?.length !== WORD) return "the group does not report whether it is locked";
  const isLocked = canExecute.every((byte) => byte === 0);
  if (adds && !isLocked) return "members are added to a group that is not locked";
  if (isLocked && transaction.to !== PROXY_ADDRESS) return "the group is locked";
  const current = await ask(SELECTORS.getVersion, on);
  if (current === undefined || Buffer.compare(current, version) !== 0) {
    return "the version of the group has changed";
  }
  const returned = await ask(SELECTORS.getParticipants, on);
  const members = returned === undefined ? [] : participantsOf(returned);
  const named = members.length === 0 && adds ? addedKeys(transaction) : members;
  if (named.includes(toBase64(transaction.privateFrom))) return undefined;
  return "its sender is not a member of the group";
}

/** Return data of the proxy; `undefined` if the call fails. Does not change the state. */
async function ask(
  selector: `0x${string}`,
  { blocks, header, state, rules, maxMs }: PrivateRun,
): Promise<Uint8Array | undefined> {
  state.checkpoint();
  try {
    const { outcome, returnValue } = await runPrivateMessage(
      { from: ZERO_ADDRESS, to: PROXY_ADDRESS, data: hexToBytes(selector), gasPrice: GAS_PRICE },
      { blocks, header, state, rules, ...(maxMs === undefined ? {} : { maxMs }) },
    );
    return outcome === "success" ? returnValue : undefined;
  } finally {
    state.revert();
  }
}
