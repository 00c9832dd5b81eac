import { toHex, toQuantity } from "@plinth/core";
import type { AccountDifference, AccountImage, SlotDifference } from "@plinth/core/chain";

/** The changed accounts, by address. */
export function describeDifferences(differences: readonly AccountDifference[]): object {
  return Object.fromEntries(
    differences.map((difference) => [difference.address, describe(difference)]),
  );
}

function describe({ before, after, slots }: AccountDifference): object {
  const isNew = before === undefined;
  return {
    balance: compare(before, after, ({ balance }) => toQuantity(balance)),
    code: compare(before, after, ({ code }) => toHex(code)),
    nonce: compare(before, after, ({ nonce }) => toQuantity(nonce)),
    storage: Object.fromEntries(slots.map((slot) => [slot.slot, describeSlot(slot, isNew)])),
  };
}

function compare(
  before: AccountImage | undefined,
  after: AccountImage | undefined,
  write: (image: AccountImage) => string,
): unknown {
  const [from, to] = [before && write(before), after && write(after)];
  if (from === to) return "=";
  if (from === undefined) return { "+": to };
  return to === undefined ? { "-": from } : { "*": { from, to } };
}

function describeSlot({ before, after }: SlotDifference, isNew: boolean): object {
  return isNew ? { "+": word(after) } : { "*": { from: word(before), to: word(after) } };
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
