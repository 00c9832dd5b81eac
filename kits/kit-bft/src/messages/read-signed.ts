import { type Address, RlpError } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { rlpItems } from "@plinth/core/primitives";
import type { NestedSigners } from "./nested-signers.js";
import { verifyRule } from "./rejected.js";

/**
 * Decodes the signed messages nested in another one; throws `RlpError` if there are more than
 * possible authors.
 *
 * Recovering a signer takes a tenth of a millisecond: they are counted first, and decoding stops at
 * the first one without a valid author.
 */
export function* readSigned<T extends { readonly author: Address }>(
  name: string,
  list: Uint8Array,
  {
    signers,
    read,
  }: { readonly signers: NestedSigners; readonly read: (item: Uint8Array) => T | Steps<T> },
): Steps<readonly T[]> {
  let count = 0;
  for (const _ of rlpItems(list)) {
    count++;
    if (count > signers.limit) {
      throw new RlpError(`${name}: ${count} messages or more, expected at most ${signers.limit}`);
    }
  }
  const messages: T[] = [];
  const authors = new Set<Address>();
  for (const item of rlpItems(list)) {
    const found = read(item);
    const message = isSteps(found) ? yield* found : found;
    verifyRule(
      !signers.areDistinct || !authors.has(message.author),
      "duplicate-author",
      `${name}: two messages are of ${message.author}`,
    );
    authors.add(message.author);
    messages.push(message);
    yield;
  }
  return messages;
}

function isSteps<T extends object>(found: T | Steps<T>): found is Steps<T> {
  return "next" in found;
}
