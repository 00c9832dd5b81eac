import { toQuantity } from "@plinth/core";

/** An object as one line of JSON; integers beyond the safe range as quantities. */
export function toJson(value: object): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "bigint" ? toQuantity(member) : member,
  );
}
